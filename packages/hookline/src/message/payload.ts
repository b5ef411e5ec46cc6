// A webhook's body as JSON. Numbers keep the digits they were sent with, and strings are well-formed Unicode.
import { TextDecoder } from 'node:util'
import { findFault, hasUnusualNumber, passesDepth, positionOf } from './jsonscan.ts'

export interface JsonObject {
  readonly [key: string]: JsonValue
}

/** A number that JavaScript would print with other digits: `1.0`, `1e400`, `9007199254740993`. JSON.stringify prints it as sent. */
export interface RawNumber {
  readonly rawJSON: string
}

export type JsonValue = null | boolean | number | string | RawNumber | readonly JsonValue[] | JsonObject

export interface Payload {
  /** Compact JSON, digits exactly as sent, no line breaks. */
  readonly text: string
  readonly value: JsonObject
  /** The same, but numbers may have lost digits: to find texts without checking every number. */
  readonly rough: JsonObject
  /** To be called after its last use: frees its objects, three times as large as the body, before the delivery is answered. */
  release(): void
}

export type ParsedPayload =
  | { readonly ok: true; readonly payload: Payload }
  | {
      readonly ok: false
      readonly error: 'invalid JSON' | 'payload must be a JSON object'
      readonly detail: string
    }

/** Deeper than any service nests, and shallow enough for recursive code. */
export const PAYLOAD_MAX_DEPTH = 512

/** Parses a body in linear time; never throws. `detail` says where it went wrong. */
export function parsePayload(body: Uint8Array): ParsedPayload {
  const text = decode(body)
  if (text === undefined) return invalid(`not UTF-8: byte ${firstBadByte(body)}`)

  const tooDeepAt = passesDepth(text, PAYLOAD_MAX_DEPTH)
  if (tooDeepAt !== undefined) {
    return invalid(`nested deeper than ${PAYLOAD_MAX_DEPTH} levels at ${positionOf(text, tooDeepAt)}`)
  }
  let value: JsonValue
  try {
    value = PLAIN.parse(text)
  } catch {
    const { at, what } = findFault(text)
    return invalid(`${what} at ${positionOf(text, at)}`)
  }
  if (!isObject(value)) {
    return {
      ok: false,
      error: 'payload must be a JSON object',
      detail: `line 1, column 1: this is ${kindOf(value)}`,
    }
  }

  // UTF-8 has no surrogates, so a lone one was escaped, and JSON.stringify escapes no others. Such text cannot be encoded: it
  // becomes U+FFFD.
  const isWellFormed = !text.includes('\\u') || !ESCAPED_SURROGATE.test(JSON.stringify(value))
  return { ok: true, payload: isWellFormed ? new LazyPayload(text, value) : new LazyPayload(text) }
}

export interface Element {
  readonly payload: Payload
  readonly body: Uint8Array
}

/** As `parsePayload`, but of a top-level array each element is a payload of its own, with its bytes. */
export function parseBatch(
  body: Uint8Array,
): ParsedPayload | { readonly ok: true; readonly elements: readonly Element[] } {
  const single = parsePayload(body)
  if (single.ok || single.error === 'invalid JSON') return single
  const value = parseExactly(decode(body) ?? '')
  if (!isArray(value)) return single
  const refuse = (detail: string) => ({ ...single, detail })
  if (value.length > MOST_ELEMENTS)
    return refuse(`the array has ${value.length} elements: at most ${MOST_ELEMENTS}`)
  const elements: Element[] = []
  for (const element of value) {
    const bytes = new TextEncoder().encode(JSON.stringify(element))
    const parsed = parsePayload(bytes)
    if (!parsed.ok) return refuse(`element ${elements.length + 1} of the array is ${kindOf(element)}`)
    elements.push({ payload: parsed.payload, body: bytes })
  }
  return { ok: true, elements }
}

/** As many as may wait for one bot. */
const MOST_ELEMENTS = 1_000

const ESCAPED_SURROGATE = /\\ud[89a-f]/

/** Most messages use a few texts of the payload: everything else is made on demand. */
class LazyPayload implements Payload {
  /** As it came; undefined once it was released. */
  #source: string | undefined
  #rough: JsonObject | undefined
  #value: JsonObject | undefined
  #text: string | undefined

  constructor(source: string, rough?: JsonObject) {
    this.#source = source
    this.#rough = rough
  }

  get rough(): JsonObject {
    return (this.#rough ??= this.value)
  }

  get value(): JsonObject {
    return (this.#value ??= this.#exactly())
  }

  get text(): string {
    return (this.#text ??= JSON.stringify(this.value))
  }

  release(): void {
    this.#source = undefined
    this.#rough = undefined
    this.#value = undefined
    this.#text = undefined
  }

  #exactly(): JsonObject {
    const source = this.#source
    if (source === undefined) throw new Error('the payload was released')
    if (this.#rough && !hasUnusualNumber(source)) return this.#rough
    return parseExactly(source) as JsonObject
  }
}

export function isRawNumber(value: JsonValue): value is RawNumber {
  return EXACT.isRawJSON(value)
}

/** A text, number, boolean or null. */
export function isScalar(value: JsonValue): boolean {
  return !isArray(value) && !isObject(value)
}

export function isArray(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value)
}

export function isObject(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !EXACT.isRawJSON(value)
}

const PLAIN: { parse(text: string): JsonValue } = JSON

// ES2026 "JSON.parse source text access", which TypeScript's library does not describe yet.
type Reviver = (
  this: unknown,
  key: string,
  value: JsonValue,
  context: { readonly source?: string },
) => JsonValue
const EXACT = JSON as unknown as {
  parse(text: string, reviver: Reviver): JsonValue
  rawJSON(digits: string): RawNumber
  isRawJSON(value: unknown): boolean
}

/** Five times slower than JSON.parse, so only for a payload that needs it. Its recursion is bounded by the depth. */
function parseExactly(text: string): JsonValue {
  return EXACT.parse(text, (_, value, { source }) => {
    if (typeof value === 'string') return value.toWellFormed()
    if (typeof value === 'number')
      return String(value) === source ? value : EXACT.rawJSON(source ?? String(value))
    return isObject(value) ? withWellFormedKeys(value) : value
  })
}

function withWellFormedKeys(object: JsonObject): JsonObject {
  if (Object.keys(object).every((key) => key.isWellFormed())) return object
  // fromEntries defines properties: a key `__proto__` stays a key.
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key.toWellFormed(), value]))
}

const strict = new TextDecoder('utf-8', { fatal: true })

function decode(body: Uint8Array): string | undefined {
  try {
    return strict.decode(body)
  } catch {
    return undefined
  }
}

/** The longest prefix that is UTF-8, by bisection: a decoder in streaming mode allows a character that is cut off. */
function firstBadByte(body: Uint8Array): number {
  let good = 0
  let bad = body.length + 1
  while (bad - good > 1) {
    const middle = (good + bad) >> 1
    if (isUtf8Beginning(body.subarray(0, middle))) good = middle
    else bad = middle
  }
  return good
}

function isUtf8Beginning(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true })
    return true
  } catch {
    return false
  }
}

function kindOf(value: JsonValue): string {
  if (value === null) return 'null'
  if (isArray(value)) return 'an array'
  if (typeof value === 'string') return 'a string'
  return typeof value === 'boolean' ? 'a boolean' : 'a number'
}

function invalid(detail: string): ParsedPayload {
  return { ok: false, error: 'invalid JSON', detail }
}

/** What is known of a delivery besides its payload. */
export interface Envelope {
  /** The sender's word for the kind of event: `push`. */
  readonly event: string | null
  /** What `{headers.…}` names, by lower-case name. */
  readonly headers: Readonly<Record<string, string>>
}
