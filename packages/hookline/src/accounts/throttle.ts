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
    const ms = this.wait(who, most)
    if (ms === undefined) this.add(who)
    return ms
  }

  /** After `most` tries, the ms until the next is allowed. */
  wait(who: string, most: number): number | undefined {
    const recent = this.#recent(who)
    const [oldest = 0] = recent
    return recent.length >= most ? oldest + this.#perMs - this.#elapsed() : undefined
  }

  /** Counts a try. */
  add(who: string): void {
    const tries = [...this.#recent(who), this.#elapsed()]
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
    const since = this.#elapsed() - this.#perMs
    return (this.#tries.get(who) ?? []).filter((at) => at > since)
  }
}

/** Beyond this many, whoever has not tried for longest is forgotten. */
const MOST_KNOWN = 10_000
