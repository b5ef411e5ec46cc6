// What an owner hears of happenings that were dropped: a message at once, then one a minute that counts.
import type { Alarm, Clock } from './alarm.ts'

export interface DropNoticesOptions {
  readonly alarm: Alarm
  readonly clock: Clock
  readonly tellOwner: (bot: string, text: string) => void
}

export class DropNotices {
  readonly #options: DropNoticesOptions
  readonly #counts = new Map<string, number>()

  constructor(options: DropNoticesOptions) {
    this.#options = options
  }

  /** One more was dropped; `why` is told with the first. */
  count(bot: string, why: string): void {
    const count = this.#counts.get(bot)
    this.#counts.set(bot, count === undefined ? 0 : count + 1)
    if (count !== undefined) return
    this.#options.tellOwner(bot, `${bot} does not react to everything now: ${why}`)
    this.#wait(bot)
  }

  /** To be called before the alarm is closed: the minute is over for all of them. */
  flush(): void {
    for (const bot of this.#counts.keys()) this.#tell(bot)
    this.#counts.clear()
  }

  #wait(bot: string): void {
    const { alarm, clock } = this.#options
    alarm.set(`drops:${bot}`, clock.now() + everyMs, () => {
      const isQuiet = !this.#tell(bot)
      this.#counts.delete(bot)
      if (isQuiet) return
      this.#counts.set(bot, 0)
      this.#wait(bot)
    })
  }

  /** False where there is nothing to tell. */
  #tell(bot: string): boolean {
    const more = this.#counts.get(bot) ?? 0
    if (more === 0) return false
    const times = `${more} more time${more === 1 ? '' : 's'}`
    this.#options.tellOwner(bot, `${bot} did not react ${times} in the last minute`)
    return true
  }
}

const everyMs = 60_000
