// Tries a bot out: composes messages exactly as for deliveries, but sends none.
import type { BotSettings } from '../../../bots/file/botfile.ts'
import { Bots } from '../../../bots/bots.ts'
import type { Composed } from '../../../message/composed.ts'
import { readBot, type BotOnDisk } from '../../../bots/disk.ts'
import type { Fixture } from '../../../senders/fixtures.ts'
import { parsePayload, type Payload } from '../../../message/payload.ts'
import { eventFor } from '../../../bots/plan.ts'
import type { VirtualUsers } from '../../../chat/virtual.ts'
import { done, wrong, type Answer } from '../../../control/failure.ts'
import type { Log } from '../../../log/log.ts'
import type { Context } from '../../context.ts'
import { invalidBot, noBot } from './view.ts'

/** A bot whose file is valid. */
export interface Triable extends BotOnDisk {
  readonly settings: BotSettings
}

export interface Sample {
  /** `github/push`, `captured/push-d-…`, or a delivery id. */
  readonly name: string
  readonly payload: Payload
  readonly headers: Readonly<Record<string, string>>
  readonly event: string | null
}

/** The bot of that name, from its files. A missing secret, as in CI, does not matter: nothing is verified here. */
export function findTriable(context: Context, name: string): Answer<Triable> {
  const found = readBot(context.home, name)
  if (!found) return noBot(context, name)
  return found.settings ? done({ ...found, settings: found.settings }) : invalidBot(found)
}

/** With the event that the bot's settings give it now; `given` overrides it. */
export function sampleOf(
  { settings }: Triable,
  { name, payload: text, headers, event }: Fixture,
  given?: string,
): Answer<Sample> {
  const parsed = parsePayload(new TextEncoder().encode(text))
  if (!parsed.ok) {
    const place = name === '' ? '' : `${name}: `
    return wrong('invalid', `${place}${parsed.error}: ${parsed.detail}`, 'give a file with one JSON object')
  }
  const { payload } = parsed
  return done({ name, payload, headers, event: given ?? event ?? eventFor(settings, headers, payload) })
}

export interface Trials extends AsyncDisposable {
  readonly compose: (sample: Sample) => Promise<Composed>
}

/** Runs trials one after another with a shared `bot.state`, which starts empty. */
export function startTrials(context: Context, found: Triable): Trials {
  const bots = apart(context, found)
  const bot = { ...found, status: 'inactive', user: undefined } as const
  return {
    compose: ({ payload, event, headers }) => bots.compose(bot, payload, { id: 'test', event, headers }),
    [Symbol.asyncDispose]: () => bots.close(),
  }
}

/** A `Bots` without a chat or storage: trials leave no trace. */
function apart(context: Context, bot: BotOnDisk): Bots {
  const states = new Map<string, string>()
  return new Bots({
    home: context.home,
    chat: nobody,
    serverName: context.known.serverName ?? bot.settings?.owner.split('-')[0] ?? 'test',
    state: {
      load: (name) => Promise.resolve(states.get(name)),
      save: (name, json) => {
        states.set(name, json)
        return Promise.resolve()
      },
    },
    log: printing,
    handlerLimits: context.known.handlers ?? {},
    dataDir: context.known.dataDir,
  })
}

const ALONE = { ok: false, reason: 'nobody is here' } as const

const nobody: VirtualUsers = {
  now: () => 0,
  appear: () => ALONE,
  leave: () => undefined,
  moveTo: () => undefined,
  describe: () => undefined,
  draft: () => ALONE,
  publish: () => true,
  redact: () => undefined,
  notice: () => false,
  isPresent: () => false,
  nameOf: (_, channel) => channel,
  room: () => 0,
}

/** Prints a handler's output to the terminal. */
const printing: Log = {
  debug: tellOutput,
  info: tellOutput,
  warn: tellOutput,
  error: tellOutput,
}

function tellOutput(data: object, text: string): void {
  process.stderr.write(`${'line' in data && typeof data.line === 'string' ? data.line : text}\n`)
}
