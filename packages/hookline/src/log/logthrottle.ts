// Limits log messages about what may happen a thousand times a second to one a minute, with a count.

/** Tracks a thousand keys; beyond that the one logged longest ago is forgotten, and may be logged again sooner. */
export class LogThrottle {
  readonly #last = new Map<string, { at: number; untold: number }>()

  /** Undefined: not to be logged, within a minute of the last time. Else how many were suppressed since, if any. `now` is in ms. */
  admit(what: string, now: number): { more?: number } | undefined {
    const last = this.#last.get(what)
    if (last !== undefined && Math.abs(now - last.at) < QUIET_MS) {
      last.untold++
      return undefined
    }
    this.#last.delete(what)
    this.#last.set(what, { at: now, untold: 0 })
    const [oldest = ''] = this.#last.keys()
    if (this.#last.size > MOST) this.#last.delete(oldest)
    return last?.untold ? { more: last.untold } : {}
  }
}

export const QUIET_MS = 60_000
const MOST = 1_000
