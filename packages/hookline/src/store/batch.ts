// Chooses what goes to the disk next: so many jobs from the front of each list.
import type { ReadJob, WriteJob } from './operations.ts'

export interface Waiting<T> {
  readonly job: T
  readonly bytes: number
  readonly body?: Uint8Array | undefined
  /** Its number among everything that was queued. */
  readonly order: number
}

/** Each list is sorted by `order`. */
export interface AllWaiting {
  /** Nobody awaits their results. */
  readonly lines: readonly Waiting<WriteJob>[]
  readonly writes: readonly Waiting<WriteJob>[]
  readonly reads: readonly Waiting<ReadJob>[]
}

/** How many of each. */
export type Share = { readonly [List in keyof AllWaiting]: number }

/** While the disk fails (`isFailing`), nothing waits for what was queued before it. */
export function nextBatch({ lines, writes, reads }: AllWaiting, isFailing: boolean): Share {
  // Lines first: people have seen them, while deliveries are shown only after their commit. But a rename waits for deliveries
  // queued before it, which are filed under the old name.
  const firstWrite = writes[0]?.order ?? Infinity
  const isReady = ({ job, order }: Waiting<WriteJob>) => job[0] !== 'rename' || order < firstWrite
  const someLines = howMany(lines, BATCH_LINES, isReady)
  const firstLine = isFailing ? Infinity : (lines[someLines]?.order ?? Infinity)
  // Nothing that was said before an erasure may be written after it.
  const isDue = ({ job, order }: Waiting<WriteJob>) => job[0] !== 'erase' || order < firstLine
  const half = Math.ceil(writes.length / 2)
  const someWrites = howMany(writes, Math.min(BATCH_WRITES, Math.max(FEW_WRITES, half)), isDue)
  // A read sees what was queued before it.
  const left = Math.min(lines[someLines]?.order ?? Infinity, writes[someWrites]?.order ?? Infinity)
  const waits = isFailing ? -1 : reads.findIndex(({ order }) => order > left)
  const someReads = Math.min(waits < 0 ? reads.length : waits, BATCH_READS)
  return { lines: someLines, writes: someWrites, reads: someReads }
}

export const BATCH_LINES = 2_000
const BATCH_WRITES = 512
const BATCH_READS = 64
/** Per batch, of lines and of writes each. */
const MOST_BYTES = 4 * 1024 * 1024
/**
 * Of more writes than this, half go and half wait. Senders who are answered together come back together: with all of them in one
 * batch, the disk and this thread would take turns instead of working at the same time.
 */
export const FEW_WRITES = 32

/** From the front, up to the first that is not ready; at least one otherwise, so that one larger than a batch goes alone. */
function howMany(
  list: readonly Waiting<WriteJob>[],
  most: number,
  isReady: (one: Waiting<WriteJob>) => boolean,
): number {
  let bytes = 0
  let count = 0
  for (const one of list) {
    if (count === most || (count > 0 && bytes + one.bytes > MOST_BYTES) || !isReady(one)) break
    bytes += one.bytes
    count++
  }
  return count
}
