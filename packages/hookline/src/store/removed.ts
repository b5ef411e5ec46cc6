// How much was removed by itself, and why.

/** What a step of pruning, or several, have removed; what is left out is none. A delivery that lost its body may have lost its row as well. */
export type Removed = {
  [
    Why in
      | 'deliveriesTooOld'
      | 'bodiesBeyondNumber'
      | 'bodiesBeyondBytes'
      | 'messagesTooOld'
      | 'messagesBeyondNumber'
      | 'eventsTooOld'
      | 'eventsBeyondNumber'
      | 'threadsTooOld'
      | 'threadsBeyondNumber'
  ]?: number
}

export type Count = (why: keyof Removed, many: number) => void

export class RemovedCounts {
  #removed: Removed = {}

  readonly count: Count = (why, many) => {
    if (many > 0) this.#removed[why] = (this.#removed[why] ?? 0) + many
  }

  add(removed: Removed): void {
    for (const [why, many] of Object.entries(removed)) this.count(why as keyof Removed, many)
  }

  /** All since the last call. */
  take(): Removed {
    const removed = this.#removed
    this.#removed = {}
    return removed
  }
}
