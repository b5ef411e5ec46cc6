// What a resident process of the command line and its callers tell each other: a line of JSON each. Bytes are in base64.

export interface Asked {
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
}

export type Told =
  | { readonly stdout: string }
  | { readonly stderr: string }
  /** More of standard input. */
  | { readonly wants: true }
  /** Another command is running. */
  | { readonly busy: true }
  | { readonly code: number }
