// How long deliveries and history are kept, and when older ones are removed.
import type { JobQueue } from './queue.ts'
import type { Log } from '../log.ts'

/** How long and how many deliveries are kept. */
export interface Retention {
  /** For deliveries that were posted or skipped; repeats are recognised for as long. */
  readonly finishedMs: number
  /** For those that failed or have no outcome. */
  readonly unhappyMs: number
  readonly bodiesPerBot: number
  /** Bytes of all bodies and texts together. */
  readonly bodyBytes: number
}

/** How much history is kept of each conversation, and for how long; undefined sets no bound. */
export interface HistoryRetention {
  /** A million at most: finding the edge walks over this many rows. */
  readonly channelMessages: number | undefined
  readonly directMessages: number | undefined
  readonly days: number | undefined
}

export interface RetentionOptions {
  readonly log: Log
  readonly retention?: Partial<Retention>
  readonly historyRetention?: HistoryRetention
}

/** Prunes now and then, until the returned function is called. */
export function keepPruned(
  queue: JobQueue,
  { log, retention, historyRetention = KEEP_ALL }: RetentionOptions,
): () => void {
  const asked = { keep: { ...USUAL, ...retention }, history: historyRetention }
  let isOver = false
  let toldAt = -Infinity
  let timer = soon(EVERY_MS)

  function soon(ms: number): NodeJS.Timeout {
    return setTimeout(() => void prune(), ms).unref()
  }

  /** Once an hour at most: meanwhile the database grows. */
  function tellOfFailure(error: unknown): void {
    if (performance.now() - toldAt < TELL_EVERY_MS) return
    toldAt = performance.now()
    log.warn({ err: error }, 'old records could not be removed; it will be tried again')
  }

  /** In small steps, each in a batch with other work and followed by an equally long rest, so that nobody waits for it. */
  async function prune(): Promise<void> {
    const began = performance.now()
    let restMs = EVERY_MS
    try {
      const hasMore = await queue.write('prune', { now: Date.now(), ...asked })
      if (hasMore) restMs = performance.now() - began
    } catch (error) {
      tellOfFailure(error)
    }
    if (!isOver) timer = soon(restMs)
  }

  return () => {
    isOver = true
    clearTimeout(timer)
  }
}

const EVERY_MS = 10_000
const TELL_EVERY_MS = 3_600_000
const DAY = 24 * 60 * 60 * 1_000
const USUAL: Retention = {
  finishedMs: 7 * DAY,
  unhappyMs: 30 * DAY,
  bodiesPerBot: 10_000,
  bodyBytes: 1024 ** 3,
}
const KEEP_ALL: HistoryRetention = { channelMessages: undefined, directMessages: undefined, days: undefined }
