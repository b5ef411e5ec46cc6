// Times of what happens: never twice the same in one conversation, so that a page of history may be cut by time.

export class Clock {
  readonly #now: () => number
  /** Conversations that something was said in just now, and when. Older ones have nothing to add to the time. */
  readonly #last = new Map<string, number>()
  #latest = 0
  #sweepAt = FEW

  constructor(now: () => number) {
    this.#now = now
  }

  /** The time, or the latest that was given: later than anything that happened. */
  get latest(): number {
    return Math.max(this.#now(), this.#latest)
  }

  /** The time, or later where that would not be later than the last in this conversation. */
  next(conversation: string): number {
    const at = Math.max(this.#begin(), (this.#last.get(conversation) ?? 0) + 1)
    return this.#keep(conversation, at)
  }

  /** The same for what is seen in several. */
  nextIn(conversations: readonly string[]): number {
    let at = this.#begin()
    for (const each of conversations) at = Math.max(at, (this.#last.get(each) ?? 0) + 1)
    for (const each of conversations) this.#keep(each, at)
    return at
  }

  #begin(): number {
    const now = this.#now()
    if (now > this.#latest) this.#last.clear()
    else if (this.#last.size > this.#sweepAt) this.#sweep(now)
    return now
  }

  #keep(conversation: string, at: number): number {
    this.#last.set(conversation, at)
    if (at > this.#latest) this.#latest = at
    return at
  }

  /** For one that is far ahead of the time and so keeps the others from being forgotten. */
  #sweep(now: number): void {
    for (const [each, at] of this.#last) if (at < now) this.#last.delete(each)
    this.#sweepAt = Math.max(FEW, 2 * this.#last.size)
  }
}

const FEW = 10_000
