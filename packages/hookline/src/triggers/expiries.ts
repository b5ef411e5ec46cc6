// `trigger.expires`: the owner hears of it three days before and at the end, each once, also over restarts.
import type { Bot, Logger } from '../bots/bots.ts'
import type { BotState } from '../bots/composer.ts'
import type { Alarm, Clock } from './alarm.ts'

export interface ExpiriesOptions {
  readonly bots: { get(name: string): Bot | undefined }
  readonly memory: BotState
  readonly alarm: Alarm
  readonly clock: Clock
  readonly log: Logger
  readonly tellOwner: (bot: string, text: string) => void
}

export class Expiries {
  readonly #options: ExpiriesOptions

  constructor(options: ExpiriesOptions) {
    this.#options = options
  }

  /** To be called when a bot may have changed. */
  async refresh(name: string): Promise<void> {
    const { bots, memory, alarm, clock } = this.#options
    const end = bots.get(name)?.settings?.trigger.expiresAt
    if (end === undefined) {
      alarm.clear(alarmOf(name))
      return
    }
    const told = toldIn(await memory.load(memoryOf(name)))
    // Of what was told for another end nothing counts.
    const isEndTold = told?.end === end && told.at >= end
    const next = told?.end === end || clock.now() >= end ? end : end - noticeMs
    if (isEndTold) alarm.clear(alarmOf(name))
    else alarm.set(alarmOf(name), next, () => void this.#ring(name, end))
  }

  async #ring(name: string, end: number): Promise<void> {
    const { bots, memory, alarm, clock, log, tellOwner } = this.#options
    const now = clock.now()
    const day = `${new Date(end).toISOString().slice(0, 16).replace('T', ' ')} UTC`
    tellOwner(
      name,
      now >= end
        ? `${name} has expired: since ${day} its senders hear 410. To go on, change trigger.expires in its bot.yaml`
        : `${name} expires at ${day}: from then on its senders hear 410. To go on, change trigger.expires in its bot.yaml`,
    )
    try {
      await memory.save(memoryOf(name), JSON.stringify({ end, at: now } satisfies Told))
      await this.refresh(name)
    } catch (error) {
      log.error({ err: error, bot: name }, 'the owner may hear again that the bot expires')
      const isStillSo = bots.get(name)?.settings?.trigger.expiresAt === end
      if (now < end && isStillSo) alarm.set(alarmOf(name), end, () => void this.#ring(name, end))
    }
  }
}

/** When which end was told, in ms. */
interface Told {
  readonly end: number
  readonly at: number
}

const noticeMs = 3 * 86_400_000

function toldIn(json: string | undefined): Told | undefined {
  return json === undefined ? undefined : (JSON.parse(json) as Told)
}

function alarmOf(name: string): string {
  return `expires:${name}`
}

/** Bots' names have no colon: it cannot meet what a handler keeps. */
function memoryOf(name: string): string {
  return `${name}:expires`
}
