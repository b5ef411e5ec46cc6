// `trigger.expires`: the owner is told three days before and at the end, once each, even across restarts.
import { formatMinute } from '../irc/time.ts'
import { memoryOf, recall } from './memory.ts'
import type { Parts } from './parts.ts'

export type ExpiriesOptions = Pick<Parts, 'bots' | 'memory' | 'alarm' | 'clock' | 'log' | 'tellOwner'>

export class Expiries {
  readonly #options: ExpiriesOptions
  /** Of this run of the server; what is on disk may be older. */
  readonly #told = new Map<string, Told>()

  constructor(options: ExpiriesOptions) {
    this.#options = options
  }

  /** To be called when a bot may have changed, or the clock was set back. */
  async refresh(name: string): Promise<void> {
    const { memory, alarm } = this.#options
    const end = this.#endOf(name)
    if (end === undefined) {
      this.#told.delete(name)
      alarm.clear(alarmOf(name))
      return
    }
    const saved = await recall<Told>(memory, memoryOf(name, 'expires'))
    // It may have been changed or removed meanwhile, and has then been refreshed again; or its owner was told.
    if (this.#endOf(name) === end) this.#arm(name, end, this.#told.get(name) ?? saved)
  }

  #endOf(name: string): number | undefined {
    return this.#options.bots.get(name)?.settings?.trigger.expiresAt
  }

  #arm(name: string, end: number, told: Told | undefined): void {
    const { alarm, clock } = this.#options
    // What was told of another end does not count; nor that this one has come, if the clock was ahead.
    const isEndTold = told?.end === end && Math.min(told.at, clock.now()) >= end
    const next = told?.end === end || clock.now() >= end ? end : end - NOTICE_MS
    alarm.set(alarmOf(name), isEndTold ? Infinity : next, () => void this.#ring(name, end))
  }

  async #ring(name: string, end: number): Promise<void> {
    const { memory, clock, log, tellOwner } = this.#options
    const now = clock.now()
    const when = formatMinute(end)
    const what =
      now >= end
        ? `expired at ${when}: its senders now get 410`
        : `expires at ${when}: after that, its senders get 410`
    tellOwner(name, `${name} ${what}. To extend it, change trigger.expires in its bot.yaml`)
    const told = { end, at: now }
    this.#told.set(name, told)
    this.#arm(name, end, told)
    try {
      await memory.save(memoryOf(name, 'expires'), JSON.stringify(told))
    } catch (error) {
      log.error({ err: error, bot: name }, 'the owner may be told again that the bot expires')
    }
  }
}

/** Which end was told, and when, in ms. */
interface Told {
  readonly end: number
  readonly at: number
}

const NOTICE_MS = 3 * 86_400_000

function alarmOf(name: string): string {
  return `expires:${name}`
}
