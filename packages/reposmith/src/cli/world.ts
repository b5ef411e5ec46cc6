// What a command line works with: the process that it is, or what a test hands in.

export interface World {
  readonly env: NodeJS.ProcessEnv
  readonly stdin: AsyncIterable<Buffer>
  readonly stdout: Stream
  readonly stderr: Stream
  /** Throws if the folder has been removed. */
  readonly cwd: () => string
  readonly on: (signal: NodeJS.Signals, listener: () => void) => unknown
  readonly off: (signal: NodeJS.Signals, listener: () => void) => unknown
}

export interface Stream {
  readonly write: (text: string) => unknown
  readonly isTTY?: boolean | undefined
}
