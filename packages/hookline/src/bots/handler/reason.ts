// What went wrong, in a line, of all that was printed when it did.

/** A traceback of Python ends with what went wrong; everything else, a stack of JavaScript too, begins with it. */
export function reasonIn(error: string): string {
  const lines = error.split(/[\r\n]+/).filter((line) => line.trim() !== '')
  const isTraceback = /^(Traceback|…|\s)/.test(lines[0] ?? '')
  const line = isTraceback ? lines.at(-1) : lines[0]
  return (line ?? 'no reason given').trim().slice(0, 200).replace(/[.:]$/, '')
}
