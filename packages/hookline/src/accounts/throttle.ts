// How often somebody may try: so many times in a while, then not until the first of them is that long ago.

export class Throttle {
  readonly #perMs: number
  readonly #elapsed: () => number
  /** When each tried, oldest first; who tried last is last. */
  readonly #tries = new Map<string, number[]>()

  constructor({ perMs, elapsed }: { perMs: number; elapsed: () => number }) {
    this.#perMs = perMs
    this.#elapsed = elapsed
  }

  /** Counts a try; or, where there were `most` of them, the ms until the next may come. */
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

  /** It was somebody who may: nothing of it counts. */
  forgive(who: string): void {
    this.#tries.delete(who)
  }

  /** The last try does not count, and those before it do. */
  takeBack(who: string): void {
    this.#tries.get(who)?.pop()
  }

  #forgetOldest(): void {
    const [first] = this.#tries.keys()
    if (first !== undefined) this.#tries.delete(first)
  }
}

/** Beyond this many, whoever has not tried for longest starts afresh. */
const MOST_KNOWN = 10_000
