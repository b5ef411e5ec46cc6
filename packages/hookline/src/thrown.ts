// Thrown values: the message, and whether it has a certain system error code.

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** `ENOENT`, `EEXIST`, `ELOOP`, … */
export function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
