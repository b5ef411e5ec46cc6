// Which handlers have a worker. One at rest costs about 15 MB and spares its next call a start; hundreds would be too many.

export interface Warmed {
  /** Ends its worker, which is at rest. */
  cool(): void
}

/** At most `max` have one. Beyond, the one that has rested longest is stopped, but none at work: more than `max` may be. */
export class Warm {
  readonly #max: number
  readonly #working = new Set<Warmed>()
  /** Whoever has rested longest is first. */
  readonly #resting = new Set<Warmed>()

  constructor(max: number) {
    this.#max = max
  }

  /** Its worker was started, or is about to be asked. */
  work(one: Warmed): void {
    this.#resting.delete(one)
    this.#working.add(one)
    this.#cool()
  }

  /** Its worker has answered, and nothing waits for it. */
  rest(one: Warmed): void {
    this.#working.delete(one)
    this.#resting.add(one)
    this.#cool()
  }

  /** It has no worker any more. */
  leave(one: Warmed): void {
    this.#working.delete(one)
    this.#resting.delete(one)
  }

  #cool(): void {
    for (const one of this.#resting) {
      if (this.#working.size + this.#resting.size <= this.#max) return
      this.#resting.delete(one)
      one.cool()
    }
  }
}
