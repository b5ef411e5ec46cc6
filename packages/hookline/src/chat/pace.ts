// How often something may be done: this many at once, then as many a minute.

/** A leaky bucket: each use fills it, and time empties it. */
export class Pace {
  #level = 0
  #at = 0

  /** 0 if it may be done now, which is counted; else how many ms until it may. */
  waitFor(now: number, perMinute: number): number {
    const level = Math.max(0, this.#level - ((now - this.#at) / MINUTE_MS) * perMinute)
    if (level + 1 > perMinute) return Math.ceil(((level + 1 - perMinute) / perMinute) * MINUTE_MS)
    this.#level = level + 1
    this.#at = now
    return 0
  }
}

const MINUTE_MS = 60_000
