// How often something may be done: a number at once, and then as many a minute.

/** Fills with each time and empties with the clock. */
export class Pace {
  #level = 0
  #at = 0

  /** 0 where it may be done now, and is counted; else how many ms until it may. */
  waitFor(now: number, perMinute: number): number {
    const level = Math.max(0, this.#level - ((now - this.#at) / MINUTE_MS) * perMinute)
    if (level + 1 > perMinute) return Math.ceil(((level + 1 - perMinute) / perMinute) * MINUTE_MS)
    this.#level = level + 1
    this.#at = now
    return 0
  }
}

const MINUTE_MS = 60_000
