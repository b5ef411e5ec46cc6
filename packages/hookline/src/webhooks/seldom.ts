// What may happen a thousand times a second is told in the log once a minute, with how often it was.

/** Of a thousand things; beyond them the one that was told longest ago is forgotten, and told again sooner. */
export class Seldom {
  readonly #last = new Map<string, { at: number; untold: number }>()

  /** Undefined where a minute is not over; else how many were not told in it, if any. `now` is in ms. */
  turn(what: string, now: number): { more?: number } | undefined {
    const last = this.#last.get(what)
    if (last !== undefined && Math.abs(now - last.at) < quietMs) {
      last.untold++
      return undefined
    }
    this.#last.delete(what)
    this.#last.set(what, { at: now, untold: 0 })
    const [oldest = ''] = this.#last.keys()
    if (this.#last.size > most) this.#last.delete(oldest)
    return last?.untold ? { more: last.untold } : {}
  }
}

export const quietMs = 60_000
const most = 1_000
