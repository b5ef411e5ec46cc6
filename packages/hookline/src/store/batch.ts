// What goes to the disk next, of all that waits for it: so many from the front of each list.
import type { ReadJob, WriteJob } from './operations.ts'

export interface Waiting<T> {
  readonly job: T
  readonly bytes: number
  readonly body?: Uint8Array | undefined
  /** Counts everything that was queued. */
  readonly place: number
}

/** Each list in the order of places. */
export interface AllWaiting {
  /** Nobody waits for their answers. */
  readonly lines: readonly Waiting<WriteJob>[]
  readonly writes: readonly Waiting<WriteJob>[]
  readonly reads: readonly Waiting<ReadJob>[]
}

/** How many of each. */
export type Share = { readonly [List in keyof AllWaiting]: number }

/** Reads go though there are writes before them that the disk does not take (`isFailing`). */
export function nextBatch({ lines, writes, reads }: AllWaiting, isFailing: boolean): Share {
  // People saw those lines before they will see the deliveries, which are shown after their commit. But a channel's new name
  // waits for deliveries from before it: they are filed under the old one.
  const firstWrite = writes[0]?.place ?? Infinity
  const isReady = ({ job, place }: Waiting<WriteJob>) => job[0] !== 'rename' || place < firstWrite
  const someLines = howMany(lines, batchLines, isReady)
  const half = Math.ceil(writes.length / 2)
  const someWrites = howMany(writes, Math.min(batchWrites, Math.max(fewWrites, half)))
  // A read sees what was queued before it.
  const left = Math.min(lines[someLines]?.place ?? Infinity, writes[someWrites]?.place ?? Infinity)
  const waits = isFailing ? -1 : reads.findIndex(({ place }) => place > left)
  const someReads = Math.min(waits < 0 ? reads.length : waits, batchReads)
  return { lines: someLines, writes: someWrites, reads: someReads }
}

export const batchLines = 2_000
const batchWrites = 512
const batchReads = 64
/** Of lines, and of writes. */
const mostBytes = 4 * 1024 * 1024
/**
 * Of more than these half goes and half waits. Senders who are answered together come back together: were they all in one batch, the
 * disk would rest while this thread works for them, and this thread while the disk does.
 */
export const fewWrites = 32

/** From the front, up to what is not ready; else at least one, so that what is larger than a batch goes alone. */
function howMany<W extends Waiting<unknown>>(
  list: readonly W[],
  most: number,
  isReady: (one: W) => boolean = () => true,
): number {
  let bytes = 0
  let count = 0
  for (const one of list) {
    if (count === most || (count > 0 && bytes + one.bytes > mostBytes) || !isReady(one)) break
    bytes += one.bytes
    count++
  }
  return count
}
