// Starting an interpreter keeps a core busy for a while: hundreds of handlers starting at once would leave the server none.
import { availableParallelism } from 'node:os'

/** As many start at once as there are cores; the others wait their turn. */
export class Starts {
  #free = availableParallelism()
  readonly #waiting = new Set<() => void>()

  /** Runs `start` in its turn, or at once when `signal` aborts. */
  async run<T>(start: () => Promise<T>, signal: AbortSignal): Promise<T> {
    if (this.#free > 0) this.#free--
    else if (!(await this.#turn(signal))) return await start()

    let isIn = true
    const leave = (): void => {
      if (isIn) this.#next()
      isIn = false
    }
    const timer = setTimeout(leave, HOLD_MS)
    try {
      return await start()
    } finally {
      clearTimeout(timer)
      leave()
    }
  }

  /** True when it has come; false when `signal` aborts first. */
  #turn(signal: AbortSignal): Promise<boolean> {
    const come = Promise.withResolvers<boolean>()
    const enter = (): void => {
      signal.removeEventListener('abort', giveUp)
      come.resolve(true)
    }
    const giveUp = (): void => {
      if (this.#waiting.delete(enter)) come.resolve(false)
    }
    this.#waiting.add(enter)
    signal.addEventListener('abort', giveUp, { once: true })
    return come.promise
  }

  #next(): void {
    const [enter] = this.#waiting
    if (!enter) return void this.#free++
    this.#waiting.delete(enter)
    enter()
  }
}

/** A start that takes longer no longer keeps others waiting. */
export const HOLD_MS = 500
