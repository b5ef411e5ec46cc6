// The one shape of a failure, for the socket, for `--json` and for the terminal.
import { failureOf, type FailureReason, StoreFailure } from '../store/failure.ts'
import { codeOf, pathOf } from '../thrown.ts'

/** 1 user input, 2 environment or setup, 3 authentication, 4 upstream. */
type FailureCode = 1 | 2 | 3 | 4

export type FailureKind =
  | 'usage'
  | 'not_found'
  | 'already_exists'
  | 'invalid'
  | 'refused'
  | 'not_running'
  | 'unreachable'
  | 'setup'
  | 'handler_failed'
  | 'different'
  | 'unresolved'
  | 'busy'
  | 'internal'

export interface Failure {
  readonly code: FailureCode
  readonly kind: FailureKind
  readonly message: string
  /** What to do next. */
  readonly remediation: string
  /** One line each: problems with file:line:column, a traceback. */
  readonly details?: readonly string[]
}

export type Answer<T> =
  | { readonly ok: true; readonly output: T }
  | {
      readonly ok: false
      readonly error: Failure
      /** What an operation on files found nevertheless: printed as a result, before the error. */
      readonly found?: unknown
    }

export function done<T>(output: T): Answer<T> {
  return { ok: true, output }
}

function failed(error: Failure): { readonly ok: false; readonly error: Failure } {
  return { ok: false, error }
}

/** The caller's input is wrong: exit 1. */
export function wrong(kind: FailureKind, message: string, remediation: string, details?: readonly string[]) {
  return failed({ code: 1, kind, message, remediation, ...(details?.length ? { details } : {}) })
}

/** Like `wrong`, with what was found: a report of bad news. */
export function wrongYet<T>(found: T, kind: FailureKind, message: string, remediation: string) {
  return { ...wrong(kind, message, remediation), found }
}

/** The environment or setup is wrong: exit 2. */
export function cannot(kind: FailureKind, message: string, remediation: string, details?: readonly string[]) {
  return failed({ code: 2, kind, message, remediation, ...(details?.length ? { details } : {}) })
}

export function notRunning(home: string) {
  return cannot('not_running', `no server is running in ${home}`, 'start one: hookline server start')
}

/** HOOKLINE_HOME is not a folder, or belongs to somebody else. */
export function unusable(home: string, error: unknown) {
  const { reason, message } = failureOf(error)
  if (reason === 'obstructed') {
    const path = pathOf(error) ?? home
    return cannot(
      'setup',
      `${path} is not a folder, or part of its path is a file`,
      path.startsWith(`${home}/`) ? 'move it away, then run this again' : 'set HOOKLINE_HOME to a folder',
    )
  }
  const hint = reason === 'full' ? STORE_HINTS.full : 'set HOOKLINE_HOME to a folder that you can write to'
  return cannot('setup', `cannot use ${home}: ${message}`, hint)
}

/** When the disk refused something. */
export const DISK_HINT = 'check that the disk has room and that you may write the files, then run it again'

/** What to do when the database fails. */
export const STORE_HINTS: Readonly<Record<FailureReason, string>> = {
  full: 'make room on the disk, then run it again',
  damaged: 'restore a backup: hookline server restore FILE --force; what is there now is moved aside',
  locked: 'another program has it open: stop that one, then run it again',
  denied: 'the folder and everything in it must belong to the user who starts the server',
  obstructed: 'a file is in its place: move it away, or name another folder as data_dir in server.yaml',
  broken: DISK_HINT,
  taken: 'stop that server, or set HOOKLINE_HOME to another folder',
  newer: 'update hookline, or set HOOKLINE_HOME to another folder',
  busy: 'run it again later',
  closed: 'run it again once the server has started',
  job: 'the server log says why',
}

/** What to do if the file system or the database refused something; undefined for other errors. */
export function hintForDisk(error: unknown): string | undefined {
  if (error instanceof StoreFailure) return error.reason === 'job' ? undefined : STORE_HINTS[error.reason]
  return DISK_CODES.has(codeOf(error)) ? DISK_HINT : undefined
}

const DISK_CODES = new Set<unknown>(['EACCES', 'EDQUOT', 'EFBIG', 'EIO', 'ENOSPC', 'EPERM', 'EROFS'])

/** A bug. The error's text goes to the log, not to the caller. */
export function brokenInside(operation: string) {
  return cannot('internal', `${operation} failed inside the server`, 'the server log says why')
}
