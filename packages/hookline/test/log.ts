type Write = (data: object, text: string) => void

/** A log whose lines, of whatever level, go to `write`. */
export function logTo(write: Write): Record<'info' | 'warn' | 'error', Write> {
  return { info: write, warn: write, error: write }
}

export const silent = logTo(() => {})
