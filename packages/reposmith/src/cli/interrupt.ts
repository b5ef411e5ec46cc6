// Ctrl-C, SIGTERM or SIGHUP during a run: the running request may finish, no further step begins, and what was applied is reported.
import type { World } from './world.ts'

export interface Interrupts {
  /** Until this is called a signal ends the process at once, which is right while nothing is under way. */
  readonly listen: () => void
  /** Fires at the first signal: no further step may begin. */
  readonly stop: AbortSignal
  /** Fires at the second signal, or GRACE_MS after the first: the running request is given up. */
  readonly abandon: AbortSignal
  readonly close: () => void
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** How long a running request may take to finish after a signal. */
const GRACE_MS = 3000
/**
 * The terminal signals the whole process group, and bin/reposmith.js on an older Node forwards it: one Ctrl-C arrives
 * twice.
 */
const ECHO_MS = 200

/** `onStop` is called at the first signal, to show that it was noticed. */
export function watchInterrupts(world: Pick<World, 'on' | 'off'>, onStop: () => void): Interrupts {
  const stop = new AbortController()
  const abandon = new AbortController()
  let timer: NodeJS.Timeout | undefined
  let first = 0
  const interrupt = (): void => {
    if (stop.signal.aborted) return performance.now() - first > ECHO_MS ? abandon.abort() : undefined
    first = performance.now()
    stop.abort()
    onStop()
    timer = setTimeout(() => abandon.abort(), GRACE_MS)
  }
  return {
    listen() {
      for (const signal of SIGNALS) {
        world.off(signal, interrupt)
        world.on(signal, interrupt)
      }
    },
    stop: stop.signal,
    abandon: abandon.signal,
    close() {
      clearTimeout(timer)
      for (const signal of SIGNALS) world.off(signal, interrupt)
    },
  }
}
