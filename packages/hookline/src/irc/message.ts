// One line of IRC, both ways: text ↔ message. A line is given without its CRLF.
import { cutText } from './split.ts'
import { formatTags, NO_TAGS, parseTags, type Tags } from './tags.ts'

export interface Message {
  readonly tags: Tags
  /** Without its leading colon: `nick!user@host`, or a server's name. */
  readonly source?: string
  /** As sent; commands are case-insensitive. */
  readonly command: string
  readonly params: readonly string[]
}

/** A line as received, or what was wrong with it. */
export type Incoming =
  | string
  /** `text` is the tags, unless they are too long themselves, and `*` for the rest: a label can still be read. */
  | { readonly fault: 'overlong'; readonly text: string }
  /** So long that the peer cannot be speaking IRC. */
  | { readonly fault: 'endless' }
  /** `text` has U+FFFD where the bytes were not UTF-8, so that a label can still be read. */
  | { readonly fault: 'utf8'; readonly text: string }
  /** No line, but work all the same: empty lines, many bytes. Flood protection counts it as so many lines. */
  | { readonly fault: 'empty'; readonly lines: number }

/** Undefined if the line has no command. Several spaces between atoms count as one (RFC 1459 2.3.1). */
export function parse(line: string): Message | undefined {
  let at = 0
  let tags = NO_TAGS
  if (line.charCodeAt(0) === AT) {
    const end = line.indexOf(' ')
    if (end === -1) return undefined
    tags = parseTags(line.slice(1, end))
    at = end + 1
  }
  at = skipSpaces(line, at)

  let source: string | undefined
  if (line.charCodeAt(at) === COLON) {
    const end = line.indexOf(' ', at)
    if (end === -1) return undefined
    source = line.slice(at + 1, end)
    at = skipSpaces(line, end)
  }

  let end = line.indexOf(' ', at)
  if (end === -1) end = line.length
  if (end === at) return undefined
  const command = line.slice(at, end)

  const params: string[] = []
  for (at = skipSpaces(line, end); at < line.length; at = skipSpaces(line, end)) {
    if (line.charCodeAt(at) === COLON) {
      params.push(line.slice(at + 1))
      break
    }
    end = line.indexOf(' ', at)
    if (end === -1) end = line.length
    params.push(line.slice(at, end))
  }
  return source === undefined ? { tags, command, params } : { tags, source, command, params }
}

/** The shortest line that parses back to the same message. Throws if there is none, which is a bug in the caller. */
export function format({ tags, source, command, params }: Message): string {
  const head = tags.size > 0 ? `@${formatTags(tags)} ` : ''
  return head + formatBody(source, command, params)
}

/** The most that a line has besides its tags and its CR LF. RFC 2812 2.3: 512 with these two. */
export const BODY_BYTES = 512 - 2

/** As `format`, without tags: the part that must fit in `BODY_BYTES`. */
export function formatBody(source: string | undefined, command: string, params: readonly string[]): string {
  let line = source === undefined ? command : `:${source} ${command}`
  const last = params.length - 1
  for (let i = 0; i < last; i++) {
    const param = params[i] ?? ''
    if (needsColon(param))
      throw new Error(`${command}: parameter ${i + 1} of ${last + 1} cannot stand before another: "${param}"`)
    line += ` ${param}`
  }
  if (last >= 0) {
    const param = params[last] ?? ''
    line += WITH_COLON.has(command) || needsColon(param) ? ` :${param}` : ` ${param}`
  }
  if (UNSENDABLE.test(line)) throw new Error(`${command}: CR, LF or NUL in a line`)
  return line
}

/** A word, safe to repeat anywhere in an answer: printable ASCII without a colon. */
export function printable(word: string): string {
  return word.replace(/[^\x21-\x39\x3b-\x7e]/g, '?').slice(0, 64)
}

/** What a client sent, safe to repeat as a middle parameter of a reply: `*` if it cannot be one, truncated if very long. */
export function echoed(param: string): string {
  return needsColon(param) || UNSENDABLE.test(param) ? '*' : cutText(param, LONGEST_ECHO)
}

/** In bytes. Two of them, a server name and a text still fit in one line. */
export const LONGEST_ECHO = 200
/** Commands whose last parameter always gets a colon: many simple clients look for it. */
const WITH_COLON: ReadonlySet<string> = new Set(['PRIVMSG', 'NOTICE', 'PING'])
const AT = 64
const COLON = 58
const SPACE = 32
// oxlint-disable-next-line no-control-regex -- these three are what a line cannot hold
const UNSENDABLE = /[\r\n\0]/

function skipSpaces(line: string, at: number): number {
  while (line.charCodeAt(at) === SPACE) at++
  return at
}

function needsColon(param: string): boolean {
  return param === '' || param.charCodeAt(0) === COLON || param.includes(' ')
}
