// Limits tries: so many per period, then none until the first of them is that old.

export class Throttle {
  readonly #perMs: number
  readonly #elapsed: () => number
  /** The times of each one's tries, oldest first; whoever tried last is last. */
  readonly #tries = new Map<string, number[]>()

  constructor({ perMs, elapsed }: { perMs: number; elapsed: () => number }) {
    this.#perMs = perMs
    this.#elapsed = elapsed
  }

  /** Counts a try; or, after `most` of them, returns the ms until the next is allowed. */
  take(who: string, most: number): number | undefined {
    const now = this.#elapsed()
    const since = now - this.#perMs
    const recent = (this.#tries.get(who) ?? []).filter((at) => at > since)
    const [oldest = now] = recent
    if (recent.length >= most) return oldest + this.#perMs - now
    this.#tries.delete(who)
    this.#tries.set(who, [...recent, now])
    if (this.#tries.size > MOST_KNOWN) this.#forgetOldest()
    return undefined
  }

  /** A try succeeded: all of them are forgotten. */
  forgive(who: string): void {
    this.#tries.delete(who)
  }

  /** Uncounts the last try; those before it still count. */
  takeBack(who: string): void {
    this.#tries.get(who)?.pop()
  }

  #forgetOldest(): void {
    const [first] = this.#tries.keys()
    if (first !== undefined) this.#tries.delete(first)
  }
}

/** Beyond this many, whoever has not tried for longest is forgotten. */
const MOST_KNOWN = 10_000
