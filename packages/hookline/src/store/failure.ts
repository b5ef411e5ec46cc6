// Why something could not be stored, or the database not be opened.
import { messageOf } from '../failure/thrown.ts'

export type FailureReason =
  | 'full' // No space.
  | 'damaged' // The file.
  | 'lost' // It is missing or empty, but what belongs to it is there.
  | 'locked' // By another program.
  | 'denied' // No permission.
  | 'obstructed' // A file in place of its folder.
  | 'broken' // The disk.
  | 'taken' // By another server.
  | 'newer' // Written by a later version.
  | 'stuck' // The disk does not answer.
  | 'busy' // Too much waits.
  | 'closed'
  | 'job' // This one item, which can never be stored.

export class StoreFailure extends Error {
  readonly reason: FailureReason

  constructor(reason: FailureReason, message: string) {
    super(message)
    this.name = 'StoreFailure'
    this.reason = reason
  }
}

/** What passes between threads, and processes. */
export interface FailureFacts {
  readonly reason: FailureReason
  readonly message: string
}

/** Tells a failing machine, where waiting helps, from a job that can never succeed. */
export function failureOf(error: unknown): FailureFacts {
  return { reason: reasonOf(error), message: messageOf(error) }
}

function reasonOf(error: unknown): FailureReason {
  if (error instanceof StoreFailure) return error.reason
  if (!(error instanceof Error)) return 'job'
  if ('errcode' in error && typeof error.errcode === 'number')
    return isIndexDamaged(error) ? 'damaged' : (SQLITE_REASONS.get(error.errcode & 0xff) ?? 'job')
  if (!('syscall' in error && 'code' in error)) return 'job'
  return SYSTEM_REASONS.get(error.code) ?? 'denied'
}

/** The search index reports damage with a general code. */
function isIndexDamaged({ message }: Error): boolean {
  return message.startsWith('vtable constructor failed')
}

const SYSTEM_REASONS: ReadonlyMap<unknown, FailureReason> = new Map([
  ['ENOSPC', 'full'],
  ['EDQUOT', 'full'],
  ['EEXIST', 'obstructed'],
  ['ENOTDIR', 'obstructed'],
])

/** By primary result code. https://www.sqlite.org/rescode.html */
const SQLITE_REASONS: ReadonlyMap<number, FailureReason> = new Map([
  [3, 'denied'], // PERM
  [5, 'locked'], // BUSY
  [6, 'locked'], // LOCKED
  [7, 'broken'], // NOMEM
  [8, 'denied'], // READONLY
  [9, 'broken'], // INTERRUPT
  [10, 'broken'], // IOERR
  [11, 'damaged'], // CORRUPT
  [13, 'full'], // FULL
  [14, 'denied'], // CANTOPEN
  [15, 'broken'], // PROTOCOL
  [26, 'damaged'], // NOTADB
])
