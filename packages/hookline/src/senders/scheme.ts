// A way to prove who sent a request, as plain data, and the code that checks it on the raw bytes.
import { createHmac, createSecretKey, hash, type KeyObject, timingSafeEqual, verify } from 'node:crypto'
import { isRawNumber, type JsonValue, parsePayload } from '../message/payload.ts'

export type Scheme = SignedScheme | TokenScheme | BasicScheme

export interface SignedScheme {
  readonly kind: 'signed'
  /** The header of the signature. Header names here are in lower case. */
  readonly header: string
  /** Precedes each signature. */
  readonly prefix: string
  /** Separates several signatures; null: there is only one. */
  readonly separator: string | null
  readonly encoding: 'hex' | 'base64'
  readonly hash: 'sha1' | 'sha256' | 'sha512'
  /** The signed text, made of `{id}`, `{ts}` and `{body}`. */
  readonly signed: string
  /** The header of `{id}`. */
  readonly id: string | null
  readonly timestamp: Timestamp | null
  /** Seconds that the timestamp may differ from the local clock, in either direction. */
  readonly tolerance: number
  /** The form of the secret: the key as text, or in base64. */
  readonly key: 'text' | 'base64'
  /** Prefix of an ed25519 signature, if the scheme has them. */
  readonly ed25519: string | null
}

/** Where the timestamp is: a header, a field of the signature's header, or a path in the JSON body. */
export interface Timestamp {
  readonly in: 'header' | 'field' | 'body'
  readonly name: string
  readonly unit: 's' | 'ms'
}

/** The secret itself, in any of these headers; in `authorization` after `Bearer`. */
export interface TokenScheme {
  readonly kind: 'token'
  readonly headers: readonly string[]
}

/** RFC 7617: `user:password` as base64. */
export interface BasicScheme {
  readonly kind: 'basic'
}

export type Headers = Readonly<Record<string, string | readonly string[] | undefined>>

export interface Request {
  readonly headers: Headers
  readonly body: Uint8Array
  /** In ms. */
  readonly now: number
}

/** `missing`: the request carries no proof of this scheme. `stale`: valid, but sent too long ago or in the future. */
export type Verdict = 'holds' | 'missing' | 'forged' | 'stale'

export type Check = (request: Request) => Verdict

/** `public` verifies ed25519 signatures; all others are shared secrets. */
export type Key =
  | { readonly kind: 'shared'; readonly bytes: Buffer }
  | { readonly kind: 'public'; readonly key: KeyObject }

/** Created once per settings, called for every request. Any one key suffices. */
export function checkFor(scheme: Scheme, keys: readonly Key[]): Check {
  switch (scheme.kind) {
    case 'signed':
      return signatureCheck(scheme, keys)
    case 'token':
      return tokenCheck(scheme, keys)
    case 'basic':
      return basicCheck(keys)
  }
}

function signatureCheck(scheme: SignedScheme, keys: readonly Key[]): Check {
  const { header, separator, timestamp } = scheme
  const message = messageOf(scheme)
  const proves = proverOf(scheme, keys)
  return ({ headers, body, now }) => {
    const value = textOf(headers[header])
    if (value === '') return 'missing'
    const items = separator === null ? [value] : value.split(separator, MOST_ITEMS)
    const id = scheme.id === null ? '' : textOf(headers[scheme.id])
    const ts = timestamp === null ? '' : sentAt(timestamp, headers, items)
    const bytes = message(id, ts, body)
    if (!bytes) return 'missing'
    if (!proves(items, bytes)) return 'forged'
    return timestamp === null || isFresh(scheme, timestamp, ts, body, now) ? 'holds' : 'stale'
  }
}

/** The parts of the signed text, in order; undefined when one is missing or ambiguous. */
type Message = (id: string, ts: string, body: Uint8Array) => readonly Uint8Array[] | undefined

function messageOf({ signed, timestamp }: SignedScheme): Message {
  if (signed === '{body}') return (_id, _ts, body) => [body]
  const parts = signed.split(/(\{id\}|\{ts\}|\{body\})/).filter((part) => part !== '')
  const asks = { id: parts.includes('{id}'), ts: timestamp !== null && timestamp.in !== 'body' }
  // `a.1` and `2` look like `a` and `1.2` when joined by a dot: an id that contains the text after it is refused.
  const after = parts[parts.indexOf('{id}') + 1]
  return (id, ts, body) => {
    if (asks.id && (id === '' || (after !== undefined && id.includes(after)))) return undefined
    if (asks.ts && !/^\d{1,16}$/.test(ts)) return undefined
    return parts.map((part) => {
      if (part === '{body}') return body
      if (part === '{id}') return bytesOf(id)
      return bytesOf(part === '{ts}' ? ts : part)
    })
  }
}

/** Headers arrive as latin1, so this restores the bytes that were sent. */
function bytesOf(text: string): Buffer {
  return Buffer.from(text, 'latin1')
}

type Prover = (items: readonly string[], message: readonly Uint8Array[]) => boolean

/** Checks every key and every signature, so that timing does not tell which one matched. */
function proverOf(scheme: SignedScheme, keys: readonly Key[]): Prover {
  // As key objects: given bytes, Node creates one for every HMAC, which takes longer than the HMAC.
  const shared = keys.flatMap((key) => (key.kind === 'shared' ? createSecretKey(key.bytes) : []))
  const open = keys.flatMap((key) => (key.kind === 'public' ? key.key : []))
  const { prefix, encoding, hash: name, ed25519 } = scheme
  const size = DIGEST_BYTES[name]
  return (items, message) => {
    let found = false
    const given = items.flatMap((item) => signatureIn(item, prefix, encoding, size) ?? [])
    for (const key of given.length === 0 ? [] : shared) {
      const hmac = createHmac(name, key)
      for (const part of message) hmac.update(part)
      const digest = hmac.digest()
      for (const each of given) if (timingSafeEqual(digest, each)) found = true
    }
    return found || (ed25519 !== null && open.length > 0 && isSignedWith(open, items, ed25519, message))
  }
}

// Standard Webhooks: `v1a` is ed25519 over the same bytes. A public key is not secret, so timing does not matter.
function isSignedWith(
  keys: readonly KeyObject[],
  items: readonly string[],
  prefix: string,
  message: readonly Uint8Array[],
): boolean {
  const bytes = Buffer.concat(message)
  const given = items.flatMap((item) => signatureIn(item, prefix, 'base64', 64) ?? [])
  return given.some((signature) => keys.some((key) => verify(null, bytes, key, signature)))
}

/** Undefined unless it is exactly that many bytes in canonical encoding. Hex may be in either case. */
function signatureIn(
  item: string,
  prefix: string,
  encoding: 'hex' | 'base64',
  size: number,
): Buffer | undefined {
  if (!item.startsWith(prefix)) return undefined
  const text = encoding === 'hex' ? item.slice(prefix.length).toLowerCase() : item.slice(prefix.length)
  // Node skips invalid characters: encoding it again shows that none were skipped.
  const bytes = Buffer.from(text, encoding)
  return bytes.length === size && bytes.toString(encoding) === text ? bytes : undefined
}

/** Empty when missing or given twice. */
function sentAt({ in: place, name }: Timestamp, headers: Headers, items: readonly string[]): string {
  switch (place) {
    case 'header':
      return textOf(headers[name])
    case 'field': {
      const [found, second] = items.filter((item) => item.startsWith(`${name}=`))
      return found === undefined || second !== undefined ? '' : found.slice(name.length + 1)
    }
    case 'body':
      return ''
  }
}

/** Checked only after the signature: an unproven body is not parsed. */
function isFresh(
  { tolerance }: SignedScheme,
  timestamp: Timestamp,
  ts: string,
  body: Uint8Array,
  now: number,
): boolean {
  const sent = timestamp.in === 'body' ? timeIn(body, timestamp.name) : Number(ts)
  const ms = timestamp.unit === 's' ? sent * 1000 : sent
  return Math.abs(now - ms) <= tolerance * 1000
}

/** NaN, which is never fresh, when there is no such number. */
function timeIn(body: Uint8Array, path: string): number {
  const parsed = parsePayload(body)
  let value: JsonValue | undefined = parsed.ok ? parsed.payload.value : undefined
  for (const name of path.split('.')) value = fieldOf(value, name)
  if (value === undefined || typeof value === 'number') return value ?? NaN
  return isRawNumber(value) ? Number(value.rawJSON) : NaN
}

function fieldOf(value: JsonValue | undefined, name: string): JsonValue | undefined {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
  return (value as Readonly<Record<string, JsonValue>>)[name]
}

function tokenCheck({ headers: names }: TokenScheme, keys: readonly Key[]): Check {
  const proves = equalTo(keys)
  return ({ headers }) => {
    for (const name of names) {
      const token = tokenIn(name, textOf(headers[name]))
      if (token !== '') return proves(bytesOf(token)) ? 'holds' : 'forged'
    }
    return 'missing'
  }
}

// RFC 6750, 2.1, but for spaces, which people's own secrets may hold. Other headers hold just the token.
function tokenIn(name: string, value: string): string {
  return name === 'authorization' ? (/^Bearer +([^ ].*)$/i.exec(value)?.[1] ?? '') : value
}

function basicCheck(keys: readonly Key[]): Check {
  const proves = equalTo(keys)
  return ({ headers }) => {
    const given = /^Basic +(\S+)$/i.exec(textOf(headers['authorization']))?.[1]
    if (given === undefined) return 'missing'
    const pair = Buffer.from(given, 'base64')
    return pair.toString('base64') === given && proves(pair) ? 'holds' : 'forged'
  }
}

/** Compares digests: they have equal length, so timing does not reveal the secret's length either. */
function equalTo(keys: readonly Key[]): (given: Buffer) => boolean {
  const digests = keys.flatMap((key) => (key.kind === 'shared' ? hash('sha256', key.bytes, 'buffer') : []))
  return (given) => {
    const digest = hash('sha256', given, 'buffer')
    let found = false
    for (const each of digests) if (timingSafeEqual(each, digest)) found = true
    return found
  }
}

/** An empty header counts as missing: Gitea sends an empty signature when it has no secret. */
function textOf(value: string | readonly string[] | undefined): string {
  return typeof value === 'string' ? value : ''
}

const DIGEST_BYTES = { sha1: 20, sha256: 32, sha512: 64 } as const

/** Twenty signatures are more than any rotation needs; further ones are ignored. */
const MOST_ITEMS = 20
