// What was asked of the host, and what Octokit reports when that fails.

/** The request that failed. */
export interface Asked {
  readonly method: string
  readonly path: string
  readonly host: string
  readonly tokenVariable: string
  readonly timeoutSeconds: number
  readonly maxWaitSeconds: number
}

/** The parts of Octokit's RequestError that are used. */
export interface Fault {
  readonly status?: number
  readonly cause?: unknown
  readonly message?: string
  readonly response?: HostAnswer | undefined
}

export interface HostAnswer {
  readonly headers: HeaderFields
  readonly data?: unknown
}

export type HeaderFields = Readonly<Record<string, unknown>>

/** A text that says something. */
export function word(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}
