// Why something could not be stored.
import { messageOf } from '../thrown.ts'

/** `full`: no space; `broken`: the disk or the file; `busy`: too much waits; `closed`; `job`: this one item cannot be stored. */
export type FailureReason = 'full' | 'broken' | 'busy' | 'closed' | 'job'

export class StoreFailure extends Error {
  readonly reason: FailureReason

  constructor(reason: FailureReason, message: string) {
    super(message)
    this.name = 'StoreFailure'
    this.reason = reason
  }
}

/** Tells a failing machine, where waiting helps, from a job that can never succeed. https://www.sqlite.org/rescode.html */
export function failureOf(error: unknown): {
  readonly reason: 'full' | 'broken' | 'job'
  readonly message: string
} {
  const message = messageOf(error)
  const code = primaryCode(error)
  if (code === SQLITE_FULL) return { reason: 'full', message }
  return { reason: MACHINE_CODES.has(code) ? 'broken' : 'job', message }
}

const SQLITE_FULL = 13
// BUSY, LOCKED, NOMEM, READONLY, INTERRUPT, IOERR, CORRUPT, CANTOPEN, PROTOCOL, NOTADB
const MACHINE_CODES = new Set([5, 6, 7, 8, 9, 10, 11, 14, 15, 26])

function primaryCode(error: unknown): number {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return 0
  return error.errcode & 0xff
}
