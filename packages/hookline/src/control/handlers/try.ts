// `bot validate|test`: tries a bot out where nobody hears it. Works on the files, beside a running server or without.
import { dirname, relative } from 'node:path'
import { Bots, type Composed, type Logger } from '../../bots/bots.ts'
import { readBot, type BotOnDisk } from '../../bots/disk.ts'
import { checkHandlers } from '../../bots/handler/check.ts'
import { findHandler } from '../../bots/handler/find.ts'
import { parsePayload } from '../../bots/payload.ts'
import { eventFor } from '../../bots/plan.ts'
import type { VirtualUsers } from '../../chat/virtual.ts'
import { keptHeaders } from '../../webhooks/headers.ts'
import type { Desk } from '../desk.ts'
import { done, wrong, type Answer } from '../failure.ts'
import type { Input } from '../operations.ts'
import type { BotView, Outputs } from '../outputs.ts'
import { noBot, viewBot, viewBots } from './view.ts'

/** Problems of every bot, or of one: a failure that lists them, else the bots that are well. */
export async function validateBots(
  desk: Desk,
  { name }: Input<'bot validate'>,
): Promise<Answer<{ bots: readonly BotView[] }>> {
  const one = name === undefined ? undefined : readBot(desk.home, name)
  if (name !== undefined && !one) return noBot(desk, name)
  const views = one ? [viewBot(desk, one.name) ?? []].flat() : viewBots(desk)
  const files = views.flatMap((bot) => findHandler(dirname(bot.file)).handler ?? [])
  const wrongHandlers = await checkHandlers(files)
  const problems = views.map((bot) => [...bot.problems, ...handlerProblem(desk, bot, wrongHandlers)])
  const broken = problems.filter((some) => some.length > 0).length
  if (broken > 0) {
    const count = `${broken} of ${views.length} ${views.length === 1 ? 'bot is' : 'bots are'} invalid`
    return wrong('invalid', count, 'mend the files, then run this again', problems.flat())
  }
  return done({ bots: views })
}

/** Handlers have no line and column until they run: the file says where. */
function handlerProblem(
  desk: Desk,
  bot: BotView,
  wrongHandlers: ReadonlyMap<string, string>,
): readonly string[] {
  const { handler } = findHandler(dirname(bot.file))
  const problem = handler && wrongHandlers.get(handler.path)
  return handler && problem !== undefined ? [`${relative(desk.home.folder, handler.path)}: ${problem}`] : []
}

/** Composes exactly as a delivery would. `payload` is the text of the payload itself. */
export async function testBot(
  desk: Desk,
  { name, payload: text, event: given, header = [] }: Input<'bot test'>,
): Promise<Answer<Outputs['bot test']>> {
  const found = readBot(desk.home, name)
  if (!found) return noBot(desk, name)
  if (!found.settings || found.problems.length > 0) {
    return wrong('invalid', `${name} is invalid`, `mend it: hookline bot validate ${name}`, found.problems)
  }
  const parsed = parsePayload(new TextEncoder().encode(text))
  if (!parsed.ok)
    return wrong('invalid', `${parsed.error}: ${parsed.detail}`, 'give a file with one JSON object')

  const headers = headersOf(header)
  if (!headers.ok) return headers
  const event = given ?? eventFor(found.settings, headers.output, parsed.payload)

  const bots = apart(desk, found)
  try {
    const bot = { ...found, status: 'inactive', user: undefined } as const
    const composed = await bots.compose(bot, parsed.payload, { id: 'test', event, headers: headers.output })
    switch (composed.kind) {
      case 'message':
        return done({
          ...storyOf(composed),
          kind: 'message',
          text: composed.text,
          event,
          thread: composed.thread ?? null,
        })
      case 'skip':
        return done({ ...storyOf(composed), kind: 'skip', text: null, event, thread: null })
      case 'failed': {
        if (composed.unresolved) {
          return wrong(
            'refused',
            `the delivery would fail: ${composed.error}`,
            'that is what output.fallback: error is for',
          )
        }
        const lines = composed.error.trimEnd().split('\n')
        return wrong(
          'handler_failed',
          `${found.handler ?? name}: ${lines.at(-1) ?? ''}`,
          'mend the handler',
          lines,
        )
      }
    }
  } finally {
    await bots.close()
  }
}

function storyOf({ composedBy, reason, unresolved = [] }: Exclude<Composed, { kind: 'failed' }>) {
  return { composed_by: composedBy, reason: reason ?? null, unresolved }
}

/** As a request would have them: what proves the sender is not for templates. */
function headersOf(lines: readonly string[]): Answer<Readonly<Record<string, string>>> {
  const headers: Record<string, string> = {}
  for (const line of lines) {
    const [, name = '', value = ''] = /^([\w!#$%&'*+.^`|~-]+):[ \t]*(.*)$/.exec(line) ?? []
    if (name === '')
      return wrong('usage', `${JSON.stringify(line)} is no header`, "write --header 'Name: value'")
    headers[name.toLowerCase()] = value
  }
  return done(keptHeaders(headers))
}

/** The bots room with nobody to hear it and nothing to remember: what is tried leaves no trace. */
function apart(desk: Desk, bot: BotOnDisk): Bots {
  const states = new Map<string, string>()
  return new Bots({
    home: desk.home,
    chat: nobody,
    serverName: desk.known.serverName ?? bot.settings?.owner.split('-')[0] ?? 'test',
    state: {
      load: (name) => Promise.resolve(states.get(name)),
      save: (name, json) => {
        states.set(name, json)
        return Promise.resolve()
      },
    },
    log: printing,
  })
}

const alone = { ok: false, reason: 'nobody is here' } as const

const nobody: VirtualUsers = {
  appear: () => alone,
  leave: () => undefined,
  moveTo: () => undefined,
  draft: () => alone,
  publish: () => undefined,
  redact: () => undefined,
  notice: () => false,
  isPresent: () => false,
  room: () => 0,
}

/** What the handler prints is for whoever tries it. */
const printing: Logger = {
  debug: () => undefined,
  info: tellOutput,
  warn: tellOutput,
  error: tellOutput,
}

function tellOutput(data: object, text: string): void {
  process.stderr.write(`${'line' in data && typeof data.line === 'string' ? data.line : text}\n`)
}
