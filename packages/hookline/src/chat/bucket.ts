// A token bucket, which limits how often something may be done: a burst at once, then at a steady rate.

/** So many per period. */
export interface Rate {
  readonly count: number
  readonly everyMs: number
}

/** What adding up fractions of tokens may be wrong by. */
const ROUNDING_MS = 0.001

/** Starts full. It is given the rate at each call, as settings may change; `now` is in ms, of a clock that may be put back. */
export class Bucket {
  #taken = 0
  #at = 0

  /** Takes a token and returns 0; without one, returns how many ms until there is one. */
  take(now: number, rate: Rate, burst = rate.count, tokens = 1): number {
    const wait = this.readyIn(now, rate, burst)
    // More than there are: they are owed, and what comes next waits for them.
    if (wait === 0) this.#taken += tokens
    return wait
  }

  /** For what was not done after all. */
  giveBack(): void {
    this.#taken = Math.max(0, this.#taken - 1)
  }

  /** How many ms until there is a token; 0 if there is one. */
  readyIn(now: number, { count, everyMs }: Rate, burst = count): number {
    const passed = Math.max(0, now - this.#at)
    this.#at = now
    this.#taken = Math.max(0, this.#taken - (passed * count) / everyMs)
    const missing = this.#taken + 1 - burst
    return Math.max(0, Math.ceil((missing * everyMs) / count - ROUNDING_MS))
  }
}
