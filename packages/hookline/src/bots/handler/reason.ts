// One line that says what went wrong, from everything that was printed with it.

/**
 * A Python traceback ends with what went wrong, an exception group with its last one, framed. Anything else begins with it, a JavaScript
 * stack too, though a syntax error has its place in the line before; of several causes the last one says most.
 */
export function reasonIn(error: string): string {
  const lines = error.split(/[\r\n]+/).filter((line) => line.trim() !== '')
  const isTraceback = /^(Traceback|…|\s)/.test(lines[0] ?? '')
  const line = isTraceback ? lines.findLast(hasWords)?.replace(FRAME, '') : beginningOf(lines)
  return (line ?? 'no reason given').trim().slice(0, 200).replace(/[.:]$/, '')
}

function beginningOf(lines: readonly string[]): string | undefined {
  const [first = ''] = lines
  const line = PLACE.test(first) ? (lines.find((each) => IS_ERROR.test(each)) ?? first) : first
  const cause = lines.findLast((each) => each.startsWith('caused by: '))
  return cause === undefined ? line : `${line}, ${cause}`
}

const hasWords = (line: string): boolean => /[\p{L}\p{N}]/u.test(line)
const FRAME = /^[\s|]+/
/** `file:///home/…/handler.mjs:3` */
const PLACE = /^(?:file:\/\/)?\/.*:\d+$/
const IS_ERROR = /^\w*Error\b/
