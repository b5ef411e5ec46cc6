// Gives memory back when a thread is idle. V8 lets the young generation grow to 134 MB in a burst (Node 24.21) and
// reconsiders only when it is full: while nobody speaks it stays that large.
import { Session } from 'node:inspector'
import { getHeapStatistics } from 'node:v8'

/** Soon after a burst, so that it is done before people speak again. */
const LOOK_EVERY_MS = 250
/** Event-loop utilization below which the thread counts as idle. */
const CALM = 0.02

/**
 * Runs until the calling thread ends. A collection blocks the thread, so it waits until the heap has grown by
 * `worthBytes`. What is on the heap already counts after `startMs`, or once more has come.
 */
export function collectWhenIdle(worthBytes: number, startMs: number): void {
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

/**
 * The only stable way to have V8 collect garbage:
 * https://chromedevtools.github.io/devtools-protocol/v8/HeapProfiler/#method-collectGarbage
 */
function collectGarbage(done: () => void): void {
  const session = new Session()
  session.connect()
  session.post('HeapProfiler.collectGarbage', () => {
    // Not within the callback: the inspector would wait for itself (Node 24.21).
    setImmediate(() => {
      session.disconnect()
      done()
    })
  })
}
