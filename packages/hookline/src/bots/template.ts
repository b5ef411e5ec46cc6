// Message templates: text with `{path}` tokens that name values of the payload. [CONTRACT 3]
import { cleanAuthorText, cleanPayloadText, withoutBlankLines } from './clean.ts'
import { isArray, isObject, isRawNumber } from './payload.ts'
import type { JsonValue, Payload } from './payload.ts'

/** A template taken apart: the author's text, and the paths that stand between it. */
export interface Template {
  readonly parts: readonly (string | Token)[]
}

interface Token {
  /** As written between the braces. */
  readonly path: string
  readonly segments: readonly string[]
}

export type Rendered =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly unresolved: readonly string[] }

/** A message is cut here: a template may name the whole payload many times. */
const MESSAGE_MAX_CHARS = 5 * 1024 * 1024

/** Every text is a template; what does not read as a token is plain text. */
export function compile(text: string): Template {
  const source = cleanAuthorText(text).replace(/\n+$/, '')
  const parts: (string | Token)[] = []
  let plain = ''
  // Open braces, innermost last: `{{` is closed by `}}`, and the `{` of something like JSON by one `}`.
  const open: ('{' | '{{')[] = []

  for (let at = 0; at < source.length;) {
    const token = matchAt(tokenPattern, source, at)
    if (source.startsWith('{{', at)) {
      open.push('{{')
      plain += '{'
      at += 2
    } else if (token) {
      const path = token.slice(1, -1)
      parts.push(plain, { path, segments: path.split('.') })
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
      const stretch = matchAt(braceless, source, at) ?? ''
      plain += stretch
      at += stretch.length
    }
  }
  return { parts: [...parts, plain].filter((part) => part !== '') }
}

/**
 * The message, with every value made harmless; or the tokens that name nothing. `roots` are first segments besides
 * `body`, such as `headers`; they win over keys of the payload.
 */
export function render(
  template: Template,
  payload: Payload,
  roots: Readonly<Record<string, JsonValue>> = {},
): Rendered {
  const values = template.parts.map((part) =>
    typeof part === 'string' ? part : { path: part.path, value: resolve(part.segments, payload, roots) },
  )
  const unresolved = values.flatMap((part) =>
    typeof part !== 'string' && part.value === undefined ? part.path : [],
  )
  if (unresolved.length > 0) return { ok: false, unresolved: [...new Set(unresolved)] }

  let text = ''
  for (const part of values) {
    text += typeof part === 'string' ? part : cleanPayloadText(print(part.value ?? null))
    if (text.length > MESSAGE_MAX_CHARS) return { ok: true, text: withoutBlankLines(cut(text)) }
  }
  return { ok: true, text: withoutBlankLines(text) }
}

/** What is said when there is no template, or one of its tokens names nothing: the whole payload as JSON. */
export function renderFallback(payload: Payload): string {
  return cleanPayloadText(cut(payload.text))
}

// No spaces and no quotes inside: a template may hold something that looks like JSON.
// The length bounds the work of trying every way to join the segments.
const tokenPattern = /\{[^\s{}"'`]{1,1000}\}/y
const braceless = /[^{}]+/y

function matchAt(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0]
}

function resolve(
  segments: readonly string[],
  payload: Payload,
  roots: Readonly<Record<string, JsonValue>>,
): JsonValue | undefined {
  const [first = '', ...rest] = segments
  if (first === 'body') return walk(payload.value, rest)
  const root = Object.hasOwn(roots, first) ? roots[first] : undefined
  return root === undefined ? walk(payload.value, segments) : walk(root, rest)
}

/** Own properties and indexes only. At every level the longest key wins: `a.b` over `a`, then `b`. */
function walk(value: JsonValue, segments: readonly string[]): JsonValue | undefined {
  if (segments.length === 0) return value
  if (isArray(value)) {
    const [index = '', ...rest] = segments
    const element = /^(?:0|[1-9]\d{0,9})$/.test(index) ? value[Number(index)] : undefined
    return element === undefined ? undefined : walk(element, rest)
  }
  if (!isObject(value)) return undefined
  for (let length = segments.length; length > 0; length--) {
    const key = segments.slice(0, length).join('.')
    const inner = Object.hasOwn(value, key) ? value[key] : undefined
    const found = inner === undefined ? undefined : walk(inner, segments.slice(length))
    if (found !== undefined) return found
  }
  return undefined
}

function print(value: JsonValue): string {
  if (typeof value === 'string') return value
  return isRawNumber(value) ? value.rawJSON : JSON.stringify(value)
}

function cut(text: string): string {
  return text.length > MESSAGE_MAX_CHARS ? `${text.slice(0, MESSAGE_MAX_CHARS)}…`.toWellFormed() : text
}
