// Refuses a YAML file that costs much more to parse than anything a person writes: the library recurses into each level, and makes an
// error with a stack for each mistake.
import { Lexer } from 'yaml'

/** Brackets within brackets, and how often `- `, `? ` or `: ` stand in one line, each of which may begin a level. */
const LEVELS_MAX = 50
/** Columns before what begins a line: a level of indentation takes one or more. */
const INDENT_MAX = 200
/** Words, marks and spaces. */
const TOKENS_MAX = 20_000

/** Where the file exceeds a bound, and which; undefined for one that may be parsed. */
export function excessIn(text: string): { readonly offset: number; readonly message: string } | undefined {
  let offset = 0
  let count = 0
  let brackets = 0
  let marks = 0
  // Of the line, up to its first word; undefined beyond that.
  let indent: number | undefined = 0
  let isScalar = false
  for (const token of new Lexer().lex(text)) {
    if (!isScalar && MARKERS.has(token)) {
      isScalar = token === SCALAR
      if (token === BRACKETS_END) brackets = 0
      continue
    }
    if (++count > TOKENS_MAX) return { offset, message: 'there is too much in this file: shorten it' }
    const isSpace = !isScalar && /^[ \t]/.test(token)
    const isFar = indent !== undefined && indent > INDENT_MAX && brackets === 0
    if (!isScalar && (token === '[' || token === '{')) brackets++
    if (!isScalar && (token === ']' || token === '}')) brackets--
    if (!isScalar && brackets === 0 && /^[-?:]$/.test(token)) marks++
    const isDeep = Math.max(brackets, marks) > LEVELS_MAX
    if (isDeep || (isFar && !/^[\s#]/.test(token))) return { offset, message: 'is nested too deeply' }
    if (!isScalar && /^[\r\n]/.test(token)) indent = marks = 0
    else if (indent !== undefined)
      indent = isSpace || (!isScalar && /^[-?]$/.test(token)) ? indent + token.length : undefined
    isScalar = false
    offset += token.length
  }
  return undefined
}

const SCALAR = '\x1f'
/** Where a line further left ends brackets that were left open. */
const BRACKETS_END = '\x18'
/** Not in the text: they say what follows. */
const MARKERS: ReadonlySet<string> = new Set(['\x02', BRACKETS_END, SCALAR])
