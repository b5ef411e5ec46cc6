// A token bucket: a burst of `count`, refilled with `count` tokens every `everyMs`.
import type { Rate } from '../bots/duration.ts'

export class Bucket {
  readonly #rate: Rate
  readonly #now: () => number
  #tokens: number
  #at: number

  constructor(rate: Rate, now: () => number) {
    this.#rate = rate
    this.#now = now
    this.#tokens = rate.count
    this.#at = now()
  }

  /** True when a token was left to take. */
  take(): boolean {
    this.#refill()
    if (this.#tokens < 1) return false
    this.#tokens--
    return true
  }

  /** Ms until there is a token to take; 0 when there is one. */
  readyIn(): number {
    this.#refill()
    if (this.#tokens >= 1) return 0
    return Math.ceil(((1 - this.#tokens) * this.#rate.everyMs) / this.#rate.count)
  }

  #refill(): void {
    const now = this.#now()
    // A clock that was set back gives nothing and takes nothing.
    const passed = Math.max(0, now - this.#at)
    this.#at = now
    const { count, everyMs } = this.#rate
    this.#tokens = Math.min(count, this.#tokens + (passed * count) / everyMs)
  }
}
