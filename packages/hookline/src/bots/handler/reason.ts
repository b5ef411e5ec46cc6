// What went wrong, in a line, of all that was printed when it did.

/**
 * A traceback of Python ends with what went wrong, a group of them with its last, framed. Everything else begins with it, a stack of JavaScript
 * too, behind the line of code where that was read and not run; where it has causes, the last of them says most.
 */
export function reasonIn(error: string): string {
  const lines = error.split(/[\r\n]+/).filter((line) => line.trim() !== '')
  const isTraceback = /^(Traceback|…|\s)/.test(lines[0] ?? '')
  const line = isTraceback ? lines.findLast(hasWords)?.replace(frame, '') : beginningOf(lines)
  return (line ?? 'no reason given').trim().slice(0, 200).replace(/[.:]$/, '')
}

function beginningOf(lines: readonly string[]): string | undefined {
  const [first = ''] = lines
  const line = place.test(first) ? (lines.find((each) => isError.test(each)) ?? first) : first
  const cause = lines.findLast((each) => each.startsWith('caused by: '))
  return cause === undefined ? line : `${line}, ${cause}`
}

const hasWords = (line: string): boolean => /[\p{L}\p{N}]/u.test(line)
const frame = /^[\s|]+/
/** `file:///home/…/handler.mjs:3` */
const place = /^(?:file:\/\/)?\/.*:\d+$/
const isError = /^\w*Error\b/
