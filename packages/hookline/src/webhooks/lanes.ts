// One bot's deliveries run one after another; those of different bots run independently.

export class Lanes {
  readonly #lanes = new Map<string, Lane>()
  #bytes = 0
  #whenIdle: (() => void) | undefined

  /**
   * Whether another delivery of that size would exceed 1,000 for the bot or 64 MiB in all: its sender is told to retry.
   * A bot with nothing waiting is always admitted.
   */
  isFull(name: string, bytes: number): boolean {
    const waiting = this.#lanes.get(name)?.waiting ?? 0
    return waiting >= MOST_WAITING || (waiting > 0 && this.#bytes + bytes > MOST_BYTES)
  }

  /** Whether nothing waits or runs in this lane. */
  isFree(name: string): boolean {
    return !this.#lanes.has(name)
  }

  /** Runs `work` after everything before it in this lane; the lane continues once it has settled. */
  run<T>(name: string, bytes: number, work: () => Promise<T>): Promise<T> {
    const lane = this.#lanes.get(name) ?? { waiting: 0, tail: undefined }
    this.#lanes.set(name, lane)
    lane.waiting++
    this.#bytes += bytes
    const result = lane.tail ? lane.tail.then(work) : work()
    lane.tail = this.#after(result, name, lane, bytes)
    return result
  }

  /** Resolves when nothing waits or runs any more. */
  idle(): Promise<void> {
    if (this.#lanes.size === 0) return Promise.resolve()
    return new Promise((resolve) => {
      this.#whenIdle = resolve
    })
  }

  async #after(result: Promise<unknown>, name: string, lane: Lane, bytes: number): Promise<void> {
    try {
      await result
    } catch {
      // The caller handles the error; the lane continues.
    }
    lane.waiting--
    this.#bytes -= bytes
    if (lane.waiting === 0) this.#lanes.delete(name)
    if (this.#lanes.size === 0) this.#whenIdle?.()
  }
}

interface Lane {
  waiting: number
  tail: Promise<void> | undefined
}

const MOST_WAITING = 1_000
const MOST_BYTES = 64 * 1024 * 1024
