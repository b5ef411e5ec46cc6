// One line that says what went wrong, from everything that was printed with it.

/**
 * A Python traceback ends with what went wrong; that of an exception group ends with its last exception, in a frame. Anything
 * else begins with it, only a syntax error in JavaScript has its place in the line before. The last of several causes says most.
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
