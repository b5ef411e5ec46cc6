// The one shape of a failure, for `--json` and for the terminal.

/** 1 user input, 2 environment or setup, 3 authentication, 4 upstream, 130 stopped with Ctrl-C. */
type FailureCode = 1 | 2 | 3 | 4 | 130

export type FailureKind =
  | 'usage'
  | 'invalid'
  | 'not_found'
  | 'blocked'
  | 'setup'
  | 'no_token'
  | 'auth'
  | 'scope'
  | 'rate_limited'
  | 'validation'
  | 'conflict'
  | 'plan'
  | 'network'
  | 'timeout'
  | 'upstream'
  | 'scaffolder'
  | 'interrupted'
  | 'internal'

export interface Failure {
  readonly code: FailureCode
  readonly message: string
  /** What to do next. */
  readonly remediation: string
  readonly kind: FailureKind
  /** One line each: problems with file:line:column, or a tool's output. */
  readonly details?: readonly string[]
  readonly http?: HttpFacts
  /** The host's errors about single fields. */
  readonly errors?: readonly unknown[]
  /** True where the same command may succeed later without any change. */
  readonly retryable?: boolean
  readonly retry_after_s?: number | null
  readonly partial?: Progress
  readonly docs?: string
}

interface HttpFacts {
  /** 0 when no answer came. */
  readonly status: number
  readonly method: string
  readonly path: string
  readonly request_id: string | null
}

/** How far a plan got. Every list holds ids of steps. */
export interface Progress {
  readonly applied: readonly string[]
  readonly failed: string | null
  readonly not_reached: readonly string[]
  /** The command that continues from there. */
  readonly resume: string
}

/** Ctrl-C came before anything was sent. */
export const STOPPED: Failure = {
  code: 130,
  message: 'stopped; nothing was applied',
  remediation: 'run it again',
  kind: 'interrupted',
}

/** Seconds before another try, the first of which is 0: as long as --max-wait allows. */
export function backoff(tries: number): number {
  return Math.min(2 ** tries, 15)
}

/** Why a request is sent again: the status of its answer, if there was one. */
export function whyAgain(status: number | undefined): string {
  return status ? `the host answered ${status}` : 'the host did not answer'
}

export type Answer<T> = { readonly ok: true; readonly output: T } | No

type No = { readonly ok: false; readonly error: Failure }

export function done<T>(output: T): Answer<T> {
  return { ok: true, output }
}

export function failed(error: Failure): No {
  return { ok: false, error }
}

/** The caller's input is wrong: exit 1. */
export function wrong(
  kind: FailureKind,
  message: string,
  remediation: string,
  details?: readonly string[],
): No {
  return failed({ code: 1, message, remediation, kind, ...(details?.length ? { details } : {}) })
}

/** The environment or setup is wrong: exit 2. */
export function cannot(kind: FailureKind, message: string, remediation: string): No {
  return failed({ code: 2, message, remediation, kind })
}
