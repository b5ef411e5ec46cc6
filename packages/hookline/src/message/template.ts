// Message templates: text with `{path}` tokens that name values of the payload. docs/templates.md
import { refuse } from '../failure/refusal.ts'
import { withoutLast } from '../text/trimmed.ts'
import { cleanAuthorText, cleanPayloadText, withoutBlankLines } from './clean.ts'
import { APART, goesOn } from './colour.ts'
import { type Filter, readFilters } from './filters.ts'
import { lookUp, type Path, pathOf, print, type Roots } from './path.ts'
import type { JsonValue, Payload } from './payload.ts'

/** A parsed template: the author's text, and the tokens between it. */
export interface Template {
  readonly parts: readonly (string | Token)[]
  /** What looks like a filter or a token but is none. Such a template works, but probably not as intended. */
  readonly warnings: readonly string[]
}

interface Token {
  /** Everything between the braces, which may be a key of the payload whatever it contains. */
  readonly whole: Path
  /** With filters: what stands before them. */
  readonly path: Path
  readonly filters: readonly Filter[]
  /** If the text before it ends in a colour, matches values that would continue its number. */
  readonly colour: RegExp | undefined
}

export type Rendered =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly unresolved: readonly string[] }

/** A message is cut here: a template may name the whole payload many times. */
export const MESSAGE_MAX_CHARS = 5 * 1024 * 1024

/** Every text is a template; what is not a token is plain text. `orElse`: what its author may write instead of one brace. */
export function compile(text: string, orElse = '; or set output.engine: liquid'): Template {
  const source = withoutLast('\n', cleanAuthorText(text))
  const parts: (string | Token)[] = []
  const warnings: string[] = []
  let plain = ''
  // Open braces, innermost last: `{{` is closed by `}}`, and the `{` of something like JSON by one `}`.
  const open: ('{' | '{{')[] = []

  for (let at = 0; at < source.length;) {
    const token = matchAt(TOKEN_PATTERN, source, at) ?? matchAt(QUOTING_PATTERN, source, at)
    const read = token === undefined ? undefined : readToken(token, plain, warnings)
    if (source.startsWith('{{', at)) {
      open.push('{{')
      plain += '{'
      at += 2
    } else if (token !== undefined && read) {
      parts.push(plain, read)
      plain = ''
      at += token.length
    } else if (source[at] === '{') {
      open.push('{')
      plain += '{'
      at += 1
    } else if (source[at] === '}') {
      const isDouble = source.startsWith('}}', at) && open.at(-1) !== '{'
      if (isDouble || open.at(-1) === '{') open.pop()
      plain += '}'
      at += isDouble ? 2 : 1
    } else {
      const stretch = matchAt(BRACELESS, source, at) ?? ''
      plain += stretch
      at += stretch.length
    }
  }
  return {
    parts: [...parts, plain].filter((part) => part !== ''),
    warnings: [...warnings, ...elsewhere(source, orElse)],
  }
}

/** Warns of what other languages would read as a token: here it is plain text, or names nothing. */
function elsewhere(source: string, orElse: string): readonly string[] {
  const told = (pattern: RegExp, tell: (text: string) => string) =>
    [...source.matchAll(pattern)].map(([text]) => `${text} ${tell(text)}`)
  return [
    ...told(
      FOREIGN_PATTERN,
      () => `is plain text here: a token is {body.name}, with one brace and no spaces${orElse}`,
    ),
    ...told(BRACKET_PATTERN, (text) => `is not a path: ${instead(withDots(text))}`),
    ...told(OPEN_PATTERN, (text) => `is plain text here: close it, ${text}}`),
  ]
}

function instead(path: string): string {
  return /\s/.test(path)
    ? 'a key with spaces needs output.engine: liquid'
    : `dots reach into lists and objects, ${path}`
}

/** `{$.items[0]['name']}` → `{body.items.0.name}` */
function withDots(token: string): string {
  return token.replaceAll(/\[["']?([^[\]"']*)["']?\]/g, '.$1').replace('{$.', '{body.')
}

/**
 * The message, with every value made harmless; or the tokens that name nothing. `roots` are first segments besides
 * `body`, such as `headers`; they win over keys of the payload.
 */
export function render(template: Template, payload: Payload, roots: Roots = {}): Rendered {
  const values: JsonValue[] = []
  let unresolved: string[] | undefined
  for (const part of template.parts) {
    if (typeof part === 'string') continue
    const value = valueOf(part, payload, roots)
    if (value === undefined) (unresolved ??= []).push(part.whole.text)
    else values.push(value)
  }
  if (unresolved) return { ok: false, unresolved: [...new Set(unresolved)] }

  let text = ''
  let next = 0
  for (const part of template.parts) {
    if (typeof part === 'string') text += part
    else {
      const value = cleanPayloadText(print(values[next++] ?? null))
      text += part.colour?.test(value) ? APART + value : value
    }
    if (text.length > MESSAGE_MAX_CHARS) return { ok: true, text: withoutBlankLines(cut(text)) }
  }
  return { ok: true, text: withoutBlankLines(text) }
}

/** What is said when there is no template, or one of its tokens names nothing: the whole payload as JSON. */
export function renderFallback(payload: Payload): string {
  return cleanPayloadText(cut(payload.text))
}

// Without spaces or quotes: a template may hold something that looks like JSON.
// The length bounds the work of trying every way to join the segments.
const TOKEN_PATTERN = /\{[^\s{}"'`]{1,1000}\}/y
// The argument of a filter may have them; all of it is plain text unless every filter is known.
const QUOTING_PATTERN = /\{[^\s{}"'`|]{1,1000} ?\|[^{}\n]{1,1000}\}/y
// With spaces inside, two braces are hardly meant as literal ones.
const FOREIGN_PATTERN =
  /\{\{-?\s*body\.[^{}]{1,200}\}\}|\{\{-? +[\w.-]{1,200} +-?\}\}|\{ +body\.[^\s{}]{1,200} *\}|\{%-? *(?:if|for|assign|unless|case) [^{}]{1,200}%\}/g
const BRACKET_PATTERN = /\{[\w$.-]{1,200}\[[^\][{}\n]{1,100}\][^\s{}]{0,200}\}|\{\$\.[^\s{}]{1,200}\}/g
// Only with a dot: a brace before a plain word may be meant as one.
const OPEN_PATTERN = /(?<!\{)\{[a-z_][\w-]{0,100}\.[^\s{}"'`|]{1,200}(?=[\s{]|$)/gi
const BRACELESS = /[^{}]+/y

function matchAt(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0]
}

/** Undefined for plain text. A token with an invalid filter is read as one without filters. */
function readToken(token: string, before: string, warnings: string[]): Token | undefined {
  const inner = token.slice(1, -1)
  const bar = inner.indexOf('|')
  const whole = pathOf(inner)
  const colour = goesOn(before, '\x03')
  const unfiltered = { whole, path: whole, filters: [], colour }
  if (bar === -1) return unfiltered
  const isSpaced = inner[bar - 1] === ' ' || inner[bar + 1] === ' '
  const read = isSpaced ? WITH_SPACES : readFilters(inner.slice(bar + 1))
  if (read.ok && bar > 0) return { whole, path: pathOf(inner.slice(0, bar)), filters: read.filters, colour }
  if (!read.ok && LOOKS_MEANT.test(inner)) warnings.push(`${token}: ${read.reason}`)
  return matchAt(TOKEN_PATTERN, token, 0) === undefined ? undefined : unfiltered
}

function valueOf({ whole, path, filters }: Token, payload: Payload, roots: Roots): JsonValue | undefined {
  let value = lookUp(whole, payload, roots)
  if (value !== undefined || filters.length === 0) return value
  value = lookUp(path, payload, roots)
  for (const filter of filters) value = filter(value)
  return value
}

const WITH_SPACES = refuse('write filters without spaces: {body.title|upper}')

// A path, a bar and a word: hardly chance, even with a space that does not belong there.
const LOOKS_MEANT = /^[\w.-]+ ?\| ?[a-z_]+(?:[:|]|$)/i

function cut(text: string): string {
  return text.length > MESSAGE_MAX_CHARS ? `${text.slice(0, MESSAGE_MAX_CHARS)}…`.toWellFormed() : text
}
