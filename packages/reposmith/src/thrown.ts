// Thrown values: the message, and the code of the system's errors.

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** `ENOENT`, `EEXIST`, … Undefined for other errors. */
export function codeOf(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' ? code : undefined
}
