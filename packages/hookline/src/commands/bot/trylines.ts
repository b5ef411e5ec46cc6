// Formats the results of trying bots out.
import type { Outputs } from '../../control/outputs.ts'
import type { Linted, Suggested, Tested, TrafficSource } from '../../control/outputs/try.ts'
import { fields, table } from '../table.ts'
import { inert, print, remark } from '../terminal.ts'

/** One result: its message, or its diff. Several: a line for each, or the messages under their names. */
export function showTested(output: Outputs['bot test']): void {
  if (!Array.isArray(output)) return showOne(output as Tested)
  const all = output as readonly Tested[]
  if (all.some(({ golden }) => golden !== null)) return showCompared(all)
  for (const tested of all) {
    print(tested.fixture ?? '')
    const lines = tested.text === null ? `(${verdict(tested)})` : tested.text
    print(inert(lines).replaceAll(/^/gm, '  '))
  }
}

export function showCaptured({ bot, folder, kept, removed }: Outputs['bot capture']): void {
  const older = kept === 0 ? '' : 'older '
  const gone = removed > 0 ? `, ${removed} ${older}removed` : ''
  print(`${bot}: ${kept === 0 ? 'nothing' : kept} captured${gone}`)
  if (kept > 0) {
    remark(`They are in ${folder} and may hold personal data. Try them: hookline bot lint ${bot}`)
  }
}

/** Tokens with their types and a sample value, by event. */
export function suggestions({ bot, from, events }: Suggested): string {
  const parts = events.map(({ event, payloads, paths, more, unwritable }) => {
    const rows = paths.map((path) => {
      const often = path.in < payloads ? ` in ${path.in} of ${payloads}` : ''
      return [inert(path.token), kindOf(path) + often, inert(path.sample)]
    })
    const rest = [
      ...(more > 0 ? [`(+${more} deeper ones)`] : []),
      ...(unwritable > 0
        ? [`(+${unwritable} with names that tokens cannot express: use engine: liquid)`]
        : []),
    ]
    const head = `${nameOf(event)}, in ${payloads}:`
    return [
      head,
      ...(rows.length > 0 ? [table(['TOKEN', 'IS', 'AS IN'], rows)] : ['nothing in common']),
      ...rest,
    ].join('\n')
  })
  return [`${inert(bot)}, from ${sourceOf(from)}`, ...parts].join('\n\n')
}

/** `template resolves in 41 of 60; missing: body.action in 19 (push)`, then each event. */
export function lintLines(linted: Linted): string {
  const { payloads, resolved, filtered, handler, events, from, warnings } = linted
  const missing = events.flatMap(({ event, missing: some }) =>
    some.map((one) => `${one.token} in ${one.in} (${nameOf(event)})`),
  )
  const head = `${handler ?? 'template'} resolves in ${resolved} of ${payloads - filtered}`
  const more = missing.length > MOST_MISSING ? `, … (+${missing.length - MOST_MISSING})` : ''
  const rest = missing.length > 0 ? `; missing: ${missing.slice(0, MOST_MISSING).join(', ')}${more}` : ''
  const pairs = events.map((each): [string, string] => [inert(nameOf(each.event)), inert(storyOf(each))])
  return [
    inert(head + rest),
    fields([['from', sourceOf(from)], ...pairs]),
    ...warnings.map((warning) => `warning: ${inert(warning)}`),
  ].join('\n')
}

/** In the first line; each is listed again under its event. */
const MOST_MISSING = 5

function showOne(tested: Tested): void {
  const { kind, thread, destination, golden } = tested
  if (golden?.status === 'different') return print(inert(golden.diff.join('\n')))
  if (kind === 'message') showMessage(tested)
  else remark(inert(verdict(tested)))
  if (destination) remark(inert(placeLine(destination)))
  if (thread !== null) remark(`thread: ${inert(thread)}`)
  if (golden?.status === 'same') remark(`as expected: ${golden.file}`)
  if (golden?.status === 'written') remark(`written: ${golden.file}; this is now the expected output`)
}

/** `in #crit, waking oncall` */
function placeLine({ channels, mention }: NonNullable<Tested['destination']>): string {
  const where = channels.length > 0 ? channels.join(' ') : 'no channel'
  return `in ${where}, waking ${mention ?? 'nobody'}`
}

function showMessage({ text, unresolved, reason, composed_by: by }: Tested): void {
  print(inert(text ?? ''))
  const missing = unresolved.map((token) => `{${inert(token)}}`).join(', ')
  if (missing !== '')
    remark(`no value for ${missing}${by === 'fallback json' ? ': the payload is the message' : ''}`)
  if (reason !== null) remark(inert(reason))
}

function showCompared(all: readonly Tested[]): void {
  for (const { fixture, golden } of all) {
    if (!golden) continue
    print(`${golden.status.padEnd(9)}  ${fixture}`)
    if (golden.diff.length > 0) print(inert(golden.diff.join('\n')).replaceAll(/^/gm, '    '))
  }
  const written = all.filter(({ golden }) => golden?.status === 'written')
  if (written.length === 0) return
  const failing = written.filter(({ kind }) => kind === 'failed').length
  const but = failing > 0 ? `, although ${failing} of these deliveries would fail` : ''
  remark(`${written.length} written; this is now the expected output${but}`)
}

function verdict({ kind, reason }: Tested): string {
  return kind === 'failed'
    ? `the delivery would fail: ${reason}`
    : `no message would be posted: ${reason ?? ''}`
}

function kindOf({ types, lengths }: Suggested['events'][number]['paths'][number]): string {
  const range = lengths && (lengths[0] === lengths[1] ? `${lengths[0]}` : `${lengths[0]} to ${lengths[1]}`)
  return types.map((type) => (type === 'list' && range !== null ? `list of ${range}` : type)).join(' or ')
}

function storyOf(each: Linted['events'][number]): string {
  const { payloads, resolved, incomplete, filtered, fell_back: fellBack, failed, problems } = each
  const counts: readonly (readonly [number, string])[] = [
    [resolved, 'resolve'],
    [incomplete, 'have missing values'],
    [filtered, 'are filtered out'],
    [fellBack, 'fall back'],
    [failed, 'fail'],
  ]
  const story = counts.flatMap(([count, what]) => (count > 0 ? [`${count} ${what}`] : [])).join(', ')
  const lines = [
    ...(each.has_template ? [] : ['no template for it']),
    ...each.missing.map(({ token, in: times }) => `no value for {${token}} in ${times}`),
    ...problems.map(({ problem, in: times, example }) => `${problem} (${times}, as ${example})`),
  ]
  return [`${payloads}: ${story}`, ...lines].join('\n')
}

function nameOf(event: string | null): string {
  return event ?? '(no event)'
}

function sourceOf(from: TrafficSource): string {
  return from === 'captured' ? 'captured payloads' : 'deliveries kept by the server'
}
