// Time as the client goes by it: a test has its own.
import { setTimeout } from 'node:timers/promises'

export interface Clock {
  /** Milliseconds, which only go up. */
  readonly now: () => number
  /** Ends early when `stop` fires. */
  readonly sleep: (ms: number, stop: AbortSignal) => Promise<void>
}

export const CLOCK: Clock = {
  now: () => performance.now(),
  async sleep(ms, stop) {
    await setTimeout(ms, undefined, { signal: stop }).catch(() => undefined)
  },
}
