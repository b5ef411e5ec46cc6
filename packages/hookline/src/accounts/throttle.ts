// Limits tries: so many per period, then none until the first of them is that old.

export interface ThrottleOptions {
  readonly perMs: number
  /** Monotonic ms. */
  readonly elapsed: () => number
  /** Each try makes the next one wait longer, so that the whole period is used up: see `pauseAfter`. */
  readonly hasPauses?: boolean
}

export class Throttle {
  readonly #options: ThrottleOptions
  /** The times of each one's tries, oldest first; whoever tried last is last. */
  readonly #tries = new Map<string, number[]>()

  constructor(options: ThrottleOptions) {
    this.#options = options
  }

  /** Counts a try; or, after `most` of them, returns the ms until the next is allowed. */
  take(who: string, most: number): number | undefined {
    const ms = this.wait(who, most)
    if (ms === undefined) this.add(who)
    return ms
  }

  /** After `most` tries, or during a pause, the ms until the next is allowed. */
  wait(who: string, most: number): number | undefined {
    const { perMs, elapsed, hasPauses } = this.#options
    const recent = this.#recent(who)
    const [oldest = 0] = recent
    if (recent.length >= most) return oldest + perMs - elapsed()
    if (!hasPauses) return undefined
    const left = (recent.at(-1) ?? 0) + pauseAfter(recent.length, most, perMs) - elapsed()
    return recent.length > 0 && left > 0 ? left : undefined
  }

  /** Counts a try. */
  add(who: string): void {
    const tries = [...this.#recent(who), this.#options.elapsed()]
    this.#tries.delete(who)
    this.#tries.set(who, tries)
    const [oldest = ''] = this.#tries.keys()
    if (this.#tries.size > MOST_KNOWN) this.#tries.delete(oldest)
  }

  /** A try succeeded: all of them are forgotten. */
  forgive(who: string): void {
    this.#tries.delete(who)
  }

  /** Uncounts the last try; those before it still count. */
  takeBack(who: string): void {
    this.#tries.get(who)?.pop()
  }

  #recent(who: string): readonly number[] {
    const since = this.#options.elapsed() - this.#options.perMs
    return (this.#tries.get(who) ?? []).filter((at) => at > since)
  }
}

/** Half the period after the last but one of `most`, a quarter after the one before it: of ten an hour, the first three come at once. */
function pauseAfter(tries: number, most: number, perMs: number): number {
  const ms = perMs / 2 ** (most - 1 - tries)
  return ms < SHORTEST_PAUSE_MS ? 0 : ms
}

/** Whoever mistypes a password need not wait. */
const SHORTEST_PAUSE_MS = 30_000

/** Beyond this many, whoever has not tried for longest is forgotten, and may begin anew: ten tries more, for ten thousand elsewhere. */
const MOST_KNOWN = 10_000
