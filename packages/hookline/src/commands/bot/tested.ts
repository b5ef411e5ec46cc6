// What `bot test` prints of one payload, and how a terminal shows that.
import { as, type OutputOf } from '../shape.ts'
import { inert, print, remark } from '../terminal.ts'

export const TESTED = {
  /** `failed` only if that is not reported as an error: among several, or when it was expected. */
  kind: as<'message' | 'skip' | 'failed'>()('text'),
  text: 'text or null',
  unresolved: ['text'],
  event: 'text or null',
  composed_by: 'text or null',
  reason: 'text or null',
  /** Key of its thread; null: not threaded. */
  thread: 'text or null',
  /** Where a route sends it, or `output.here`; null: as `output` says. */
  destination: { orNull: { channels: ['text'], mention: 'text or null' } },
  fixture: 'text or null',
  /** Null if not asked for. `diff`: `- expected`, `+ now`, `  both`. */
  golden: {
    orNull: { file: 'text', status: as<'same' | 'different' | 'written'>()('text'), diff: ['text'] },
  },
} as const

export type Tested = OutputOf<typeof TESTED>

/** A line for each, or the messages under their names. */
export function showAll(all: readonly Tested[]): void {
  if (all.some(({ golden }) => golden !== null)) return showCompared(all)
  for (const tested of all) {
    print(tested.fixture ?? '')
    const lines = tested.text === null ? `(${verdict(tested)})` : tested.text
    print(inert(lines).replaceAll(/^/gm, '  '))
  }
}

/** Its message, or its diff. */
export function showOne(tested: Tested): void {
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
