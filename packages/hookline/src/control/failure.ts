// The one shape of a failure, for the socket, for `--json` and for the terminal.

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

function failureWith(code: FailureCode) {
  return (kind: FailureKind, message: string, remediation: string, details: readonly string[] = []) => {
    const error: Failure = { code, kind, message, remediation, ...(details.length > 0 ? { details } : {}) }
    return { ok: false, error } as const
  }
}

/** The caller's input is wrong: exit 1. */
export const wrong = failureWith(1)
/** The environment or setup is wrong: exit 2. */
export const cannot = failureWith(2)

/** Like `wrong`, with what was found: a report of bad news. */
export function wrongYet<T>(found: T, ...[kind, message, remediation, details]: Parameters<typeof wrong>) {
  return { ...wrong(kind, message, remediation, details), found }
}

export function notRunning(home: string) {
  return cannot('not_running', `no server is running in ${home}`, 'start one: hookline server start')
}

/** A bug. The error's text goes to the log, not to the caller. */
export function brokenInside(operation: string) {
  return cannot('internal', `${operation} failed inside the server`, 'the server log says why')
}
