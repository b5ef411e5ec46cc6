// A bot on trial: says what it would say, on the way that deliveries take, where nobody hears it.
import type { BotSettings } from '../../bots/botfile.ts'
import { Bots } from '../../bots/bots.ts'
import type { Composed } from '../../bots/composer.ts'
import { readBot, type BotOnDisk } from '../../bots/disk.ts'
import type { Fixture } from '../../bots/fixtures.ts'
import type { Logger } from '../../bots/logger.ts'
import { parsePayload, type Payload } from '../../bots/payload.ts'
import { eventFor } from '../../bots/plan.ts'
import type { VirtualUsers } from '../../chat/virtual.ts'
import type { Desk } from '../desk.ts'
import { done, wrong, type Answer } from '../failure.ts'
import { noBot } from './view.ts'

/** A bot whose file reads. */
export interface Triable extends BotOnDisk {
  readonly settings: BotSettings
}

export interface Sample {
  /** `github/push`, `captured/push-d-…`, the id of a delivery. */
  readonly name: string
  readonly payload: Payload
  readonly headers: Readonly<Record<string, string>>
  readonly event: string | null
}

/** The bot of that name, as its files are. A secret that is not here, as in CI, is no hindrance: no sender is proven. */
export function findTriable(desk: Desk, name: string): Answer<Triable> {
  const found = readBot(desk.home, name)
  if (!found) return noBot(desk, name)
  if (found.settings) return done({ ...found, settings: found.settings })
  return wrong('invalid', `${name} is invalid`, `mend it: hookline bot validate ${name}`, found.problems)
}

/** With its event as the bot's settings name it now; `given` is what the caller says it is. */
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

/** One trial after the other, with one `bot.state`, which begins empty. */
export function startTrials(desk: Desk, found: Triable): Trials {
  const bots = apart(desk, found)
  const bot = { ...found, status: 'inactive', user: undefined } as const
  return {
    compose: ({ payload, event, headers }) => bots.compose(bot, payload, { id: 'test', event, headers }),
    [Symbol.asyncDispose]: () => bots.close(),
  }
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
    handlerLimits: desk.known.handlers ?? {},
  })
}

const alone = { ok: false, reason: 'nobody is here' } as const

const nobody: VirtualUsers = {
  now: () => 0,
  appear: () => alone,
  leave: () => undefined,
  moveTo: () => undefined,
  draft: () => alone,
  publish: () => undefined,
  redact: () => undefined,
  notice: () => false,
  isPresent: () => false,
  nameOf: (_, channel) => channel,
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
