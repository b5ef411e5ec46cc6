// What was asked of the host, and what came of it.

/** The request that failed. */
export interface Asked {
  readonly method: string
  readonly path: string
  readonly host: string
  readonly tokenVariable: string
  readonly timeoutSeconds: number
  readonly maxWaitSeconds: number
}

export interface HostAnswer {
  readonly status: number
  readonly headers: HeaderFields
  /** The value of a JSON body, the text of any other, empty for none. */
  readonly data: unknown
}

/** What fetch throws. */
export interface Fault {
  readonly name?: string
  readonly message?: string
  readonly cause?: unknown
}

export type HeaderFields = Readonly<Record<string, unknown>>

/** A text that says something. */
export function word(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}
