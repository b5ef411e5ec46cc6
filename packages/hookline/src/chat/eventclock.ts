// Times of events: never the same twice in one conversation, so that history can be paged by time; and later for what was said later, unless
// the clock was more than a day ahead.

export class EventClock {
  readonly #now: () => number
  /** Times of the last events in recent conversations. Older ones are behind the clock and do not matter. */
  readonly #last = new Map<string, number>()
  #latest = 0
  #sweepAt = FEW

  constructor(now: () => number) {
    this.#now = now
  }

  /** The time, or the latest that was given: no earlier than anything that happened. */
  get latest(): number {
    return Math.max(this.#begin(), this.#latest)
  }

  /** The time, or just after the last in this conversation if that is later. */
  next(conversation: string): number {
    const at = Math.max(this.#begin(), (this.#last.get(conversation) ?? 0) + 1)
    return this.#keep(conversation, at)
  }

  /** The same for an event seen in several. */
  nextIn(conversations: readonly string[]): number {
    let at = this.#begin()
    for (const each of conversations) at = Math.max(at, (this.#last.get(each) ?? 0) + 1)
    for (const each of conversations) this.#keep(each, at)
    return at
  }

  #begin(): number {
    const now = this.#now()
    // Ahead by more than bursts and half speed bring about: the clock was wrong, and what was stamped with it is pulled back.
    if (now < this.#latest - DAY_MS) this.#latest = 0
    if (now > this.#latest) this.#last.clear()
    else if (this.#last.size > this.#sweepAt) this.#sweep(now)
    return now
  }

  #keep(conversation: string, at: number): number {
    this.#last.set(conversation, at)
    if (at > this.#latest) this.#latest = at
    return at
  }

  /** Drops old ones when one that is far ahead of the time keeps them from being cleared. */
  #sweep(now: number): void {
    for (const [each, at] of this.#last) if (at < now) this.#last.delete(each)
    this.#sweepAt = Math.max(FEW, 2 * this.#last.size)
  }
}

const FEW = 10_000
const DAY_MS = 86_400_000
