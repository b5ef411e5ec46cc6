// Thrown values: the message, and whether it has a certain system error code.

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** The system's code: `ENOENT`, `EEXIST`, `ELOOP`, … Undefined for other errors. */
export function codeOf(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' ? code : undefined
}

export function isCode(error: unknown, code: string): boolean {
  return codeOf(error) === code
}
