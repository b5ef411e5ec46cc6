// What an owner hears of failures: one message a minute per bot, which says how many it stands for.
import { reasonIn } from '../bots/handler/reason.ts'

export class FailureNotices {
  readonly #now: () => number
  readonly #last = new Map<string, { at: number; unsaid: number }>()

  constructor(now: () => number) {
    this.#now = now
  }

  /** The text for the owner; undefined while the last one is less than a minute old. */
  next(bot: string, id: string, error: string): string | undefined {
    const now = this.#now()
    const last = this.#last.get(bot)
    if (last && now - last.at < everyMs) {
      last.unsaid++
      return undefined
    }
    this.#last.set(bot, { at: now, unsaid: 0 })
    const others = last?.unsaid ? ` (${last.unsaid} more failed since the last such message)` : ''
    return `delivery ${id} failed: ${reasonIn(error)}. To run it again: hookline bot replay ${id}${others}`
  }
}

const everyMs = 60_000
