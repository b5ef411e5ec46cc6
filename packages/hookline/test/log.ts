type Write = (data: object, text: string) => void

/** A log whose lines, of whatever level, go to `write`. */
export function logTo(write: Write): Record<'debug' | 'info' | 'warn' | 'error', Write> {
  return { debug: write, info: write, warn: write, error: write }
}

export const silent = logTo(() => {})
