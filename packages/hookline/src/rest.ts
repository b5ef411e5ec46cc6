// Gives memory back when a thread has come to rest. V8 lets the young part of a heap grow to 134 MB in a burst (Node 24.21) and
// looks at it again when that is full: while nobody speaks it stays as large as it was.
import { Session } from 'node:inspector'
import { getHeapStatistics } from 'node:v8'

/** Soon after a burst, so that it is done before people speak again. */
const LOOK_EVERY_MS = 250
/** The part of that time in which something was done; below it nobody waits for us. */
const CALM = 0.02

/**
 * For as long as the thread that calls it lives. While it collects it does nothing else: for less than `worthBytes` it is not worth while.
 * What is there already waits for `startMs`, or until more has come.
 */
export function tidyAtRest(worthBytes: number, startMs: number): void {
  let before = performance.eventLoopUtilization()
  let kept = getHeapStatistics().total_heap_size
  const start = setTimeout(() => (kept = 0), startMs).unref()
  setInterval(() => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, before)
    before = now
    if (utilization > CALM || getHeapStatistics().total_heap_size - kept < worthBytes) return
    clearTimeout(start)
    collectGarbage(() => {
      kept = getHeapStatistics().total_heap_size
      before = performance.eventLoopUtilization()
    })
  }, LOOK_EVERY_MS).unref()
}

/** The only stable way to tell V8 that memory is wanted: https://chromedevtools.github.io/devtools-protocol/v8/HeapProfiler/#method-collectGarbage */
function collectGarbage(done: () => void): void {
  const session = new Session()
  session.connect()
  session.post('HeapProfiler.collectGarbage', () => {
    // Not from within: the inspector waits for itself then (Node 24.21).
    setImmediate(() => {
      session.disconnect()
      done()
    })
  })
}
