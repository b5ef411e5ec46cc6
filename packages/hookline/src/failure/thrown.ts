// Thrown values: the message, and of the system's errors the code and the path.

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

/** What the file system refused to use; undefined for other errors. */
export function pathOf(error: unknown): string | undefined {
  const path = error instanceof Error && 'path' in error ? error.path : undefined
  return typeof path === 'string' ? path : undefined
}
