// Paths: how templates and rules name a value of the payload. docs/templates.md
import { type Envelope, isArray, isObject, isRawNumber, type JsonValue, type Payload } from './payload.ts'

/** A parsed path. */
export interface Path {
  /** As it was written. */
  readonly text: string
  readonly segments: readonly string[]
  /** The header it names, in lower case, when its first segment is `headers`. */
  readonly header: string | undefined
}

/** First segments besides `body`: `headers` and `event`. They win over keys of the payload. */
export type Roots = Readonly<Record<string, JsonValue | undefined>>

export function rootsOf({ event, headers }: Envelope): Roots {
  return event === null ? { headers } : { headers, event }
}

export function pathOf(text: string): Path {
  const segments = text.split('.')
  const header = segments[0] === 'headers' ? segments.slice(1).join('.').toLowerCase() : undefined
  return { text, segments, header }
}

/** Undefined when the path names nothing. What a root lacks may still be a key of the payload. */
export function lookUp(path: Path, payload: Payload, roots: Roots): JsonValue | undefined {
  const { segments, header } = path
  const first = segments[0] ?? ''
  if (first === 'body') return walkBody(payload, segments, 1)
  const root = Object.hasOwn(roots, first) ? roots[first] : undefined
  const found = root === undefined ? undefined : walkRoot(root, segments, header)
  return found ?? walkBody(payload, segments, 0)
}

/** As a message shows it: strings as they are, everything else as JSON, numbers with the digits that were sent. */
export function print(value: JsonValue): string {
  if (typeof value === 'string') return value
  return isRawNumber(value) ? value.rawJSON : JSON.stringify(value)
}

// Anything but a text may contain numbers.
function walkBody(payload: Payload, segments: readonly string[], from: number): JsonValue | undefined {
  const found = walk(payload.rough, segments, from)
  return found === undefined || typeof found === 'string' ? found : walk(payload.value, segments, from)
}

// RFC 9110, 5.1: header names are case-insensitive; ours are kept in lower case.
function walkRoot(
  root: JsonValue,
  segments: readonly string[],
  header: string | undefined,
): JsonValue | undefined {
  if (header === undefined || !isObject(root)) return walk(root, segments, 1)
  if (segments.length === 1) return root
  return Object.hasOwn(root, header) ? root[header] : undefined
}

/** Own properties and indexes only. At every level the longest key wins: `a.b` over `a`, then `b`. */
function walk(value: JsonValue, segments: readonly string[], from: number): JsonValue | undefined {
  if (from === segments.length) return value
  if (isArray(value)) {
    const index = segments[from] ?? ''
    const element = /^(?:0|[1-9]\d{0,9})$/.test(index) ? value[Number(index)] : undefined
    return element === undefined ? undefined : walk(element, segments, from + 1)
  }
  if (!isObject(value)) return undefined
  for (let end = segments.length; end > from; end--) {
    const key = end === from + 1 ? (segments[from] ?? '') : segments.slice(from, end).join('.')
    const inner = Object.hasOwn(value, key) ? value[key] : undefined
    const found = inner === undefined ? undefined : walk(inner, segments, end)
    if (found !== undefined) return found
  }
  return undefined
}
