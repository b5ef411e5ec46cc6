// Ctrl-C while something is under way: the running request may end, no further step begins, and we say what was applied.
import type { Failure } from '../failure.ts'

export interface Interrupts {
  /** Until this is called Ctrl-C ends us at once, as it should while nothing is under way. */
  readonly listen: () => void
  /** Fires at the first Ctrl-C: no further step may begin. */
  readonly stop: AbortSignal
  /** Fires at the second, or when the running request has had its time: it is given up. */
  readonly abandon: AbortSignal
  readonly failure: Failure
  readonly close: () => void
}

/** How long a request that is under way may take to end. */
const GRACE_MS = 3000
/** A terminal signals the whole group, and bin/reposmith.js on an older Node passes it on: one Ctrl-C arrives twice. */
const ECHO_MS = 200

/** `onStop` is called at the first, so that whoever pressed it knows that it was seen. */
export function watchInterrupts(onStop: () => void): Interrupts {
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
      process.off('SIGINT', interrupt).on('SIGINT', interrupt)
    },
    stop: stop.signal,
    abandon: abandon.signal,
    failure: {
      code: 130,
      message: 'stopped; nothing was applied',
      remediation: 'run it again',
      kind: 'interrupted',
    },
    close() {
      clearTimeout(timer)
      process.off('SIGINT', interrupt)
    },
  }
}
