// How long deliveries and history are kept, and when older ones are removed.
import type { JobQueue } from './queue.ts'
import type { Log } from '../log/log.ts'
import { type Removed, RemovedCounts } from './removed.ts'
import type { HistoryRetention, Retention } from './retentionlimits.ts'
import type { StoreClock } from './storeclock.ts'
import { DAY_MS } from './trustedclock.ts'

export interface RetentionOptions {
  readonly log: Log
  readonly retention?: Partial<Retention>
  readonly historyRetention?: HistoryRetention
  /** After a round in which nothing was left to remove. */
  readonly pruneEveryMs?: number | undefined
}

/** Prunes now and then, and notes the trusted time, until the returned function is called, which notes it once more. */
export function keepPruned(
  queue: JobQueue,
  clock: StoreClock,
  { log, retention, historyRetention = KEEP_ALL, pruneEveryMs = EVERY_MS }: RetentionOptions,
): () => void {
  const asked = { keep: { ...USUAL, ...retention }, history: historyRetention }
  const told = new Told(log)
  let isOver = false
  let timer = soon(pruneEveryMs)

  function soon(ms: number): NodeJS.Timeout {
    return setTimeout(() => void prune(), ms).unref()
  }

  /** In small steps, each in a batch with other work and followed by an equally long rest, so that nobody waits for it. */
  async function prune(): Promise<void> {
    const began = performance.now()
    let restMs = pruneEveryMs
    try {
      const passed = clock.look()
      const [{ hasMore, removed }] = await Promise.all([
        queue.write('prune', { passed, ...asked }),
        clock.saveIfDue(),
      ])
      told.removed(removed, !hasMore)
      if (hasMore) restMs = performance.now() - began
    } catch (error) {
      told.failed(error)
    }
    if (!isOver) timer = soon(restMs)
  }

  return () => {
    isOver = true
    clearTimeout(timer)
    told.rest()
  }
}

/** What the log hears, once an hour at most. */
class Told {
  readonly #log: Log
  readonly #removed = new RemovedCounts()
  #failedAt = -Infinity
  #removedAt = -Infinity

  constructor(log: Log) {
    this.#log = log
  }

  /** Meanwhile the database grows. */
  failed(error: unknown): void {
    if (performance.now() - this.#failedAt < TELL_EVERY_MS) return
    this.#failedAt = performance.now()
    this.#log.warn({ err: error }, 'old records could not be removed; it will be tried again')
  }

  /** `isDone`: there is no more to remove now. */
  removed(removed: Removed, isDone: boolean): void {
    this.#removed.add(removed)
    if (isDone && performance.now() - this.#removedAt >= TELL_EVERY_MS) this.rest()
  }

  rest(): void {
    const removed = this.#removed.take()
    if (Object.keys(removed).length === 0) return
    this.#removedAt = performance.now()
    this.#log.info(removed, 'old records were removed')
  }
}

const EVERY_MS = 10_000
const TELL_EVERY_MS = 3_600_000
const USUAL: Retention = {
  finishedMs: 7 * DAY_MS,
  unhappyMs: 30 * DAY_MS,
  bodiesPerBot: 10_000,
  bodyBytes: 1024 ** 3,
}
const KEEP_ALL: HistoryRetention = { channelMessages: undefined, directMessages: undefined, days: undefined }
