// A clock that nobody waits for: whoever sleeps is woken at once, that much later.
import type { Clock } from '../src/host/clock.ts'

export interface TestClock extends Clock {
  /** Whoever slept, in milliseconds. */
  readonly slept: number[]
}

export function testClock(): TestClock {
  const slept: number[] = []
  let now = 0
  return {
    slept,
    now: () => now,
    sleep: async (ms, stop) => {
      if (stop.aborted) return
      slept.push(ms)
      now += ms
      await Promise.resolve()
    },
  }
}
