// Which headers are kept with a delivery: those that name the event and the sender, never a proof.
import { isUtf8 } from 'node:buffer'
import type { IncomingHttpHeaders } from 'node:http'
import type { BotAuth } from '../senders/authschema.ts'
import { decoded } from './admission.ts'
import { proofHeaders } from '../senders/schemes.ts'

/**
 * By lower-case name, in the order received; at most 40 headers and 8 KiB, beyond which the longest are dropped. Left
 * out are headers that carry a secret, a token or a signature, the bot's own proof headers, and connection headers. If
 * the URL holds `secret`, headers that repeat it are left out too.
 */
export function keptHeaders(
  headers: IncomingHttpHeaders,
  auth?: BotAuth,
  secret?: string,
): Readonly<Record<string, string>> {
  const proofs = auth === undefined ? [] : proofsOf(auth)
  const kept: Record<string, string> = {}
  let size = 0
  let count = 0
  for (const name in headers) {
    const value = headers[name]
    if (typeof value !== 'string' || value === '' || isLeftOut(name) || proofs.includes(name)) continue
    if (secret !== undefined && tells(value, secret)) continue
    size += name.length + value.length
    kept[name] = readable(value)
    count++
  }
  return size > MOST_BYTES || count > MOST_HEADERS ? shortest(kept) : kept
}

/** Headers that name the event are short: long ones added by a proxy must not push them out. */
function shortest(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const sizes = Object.entries(headers).map(([name, value]) => ({ name, size: name.length + value.length }))
  const fitting = new Set<string>()
  let room = MOST_BYTES
  for (const { name, size } of sizes.toSorted((one, other) => one.size - other.size).slice(0, MOST_HEADERS)) {
    room -= size
    if (room < 0) break
    fitting.add(name)
  }
  return Object.fromEntries(Object.entries(headers).filter(([name]) => fitting.has(name)))
}

/** Node has one character for each byte, but what is not ASCII is almost always UTF-8. */
function readable(value: string): string {
  if (!NOT_ASCII.test(value)) return value
  const bytes = Buffer.from(value, 'latin1')
  return isUtf8(bytes) ? bytes.toString() : value
}

/** `X-Original-URL` and the like, in which proxies repeat the requested URL, raw or decoded. */
function tells(value: string, secret: string): boolean {
  const text = Buffer.from(value, 'latin1').toString()
  return [text, decoded(text)].some((each) => each.includes(secret))
}

function proofsOf(auth: BotAuth): readonly string[] {
  const known = proofNames.get(auth)
  if (known) return known
  const found = proofHeaders(auth)
  proofNames.set(auth, found)
  return found
}

const proofNames = new WeakMap<BotAuth, readonly string[]>()

// Checked for every delivery: names are few and recur, so results are cached.
function isLeftOut(name: string): boolean {
  const known = leftOut.get(name)
  if (known !== undefined) return known
  const found = OF_CONNECTION.has(name) || PROVING.test(name)
  if (leftOut.size < MOST_NAMES) leftOut.set(name, found)
  return found
}

const leftOut = new Map<string, boolean>()
const PROVING = /auth|cookie|secret|signature|-sig$|hmac|jwt|oidc|token|password|api-?key|credential/
const OF_CONNECTION = new Set([
  'accept',
  'accept-encoding',
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'transfer-encoding',
  'upgrade',
])

const NOT_ASCII = /[\x80-\xff]/

const MOST_HEADERS = 40
const MOST_BYTES = 8 * 1024
const MOST_NAMES = 1_000
