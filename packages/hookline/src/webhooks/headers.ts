// Which headers of a request are kept with its delivery: what names the event and the sender, never what proves them.
import type { IncomingHttpHeaders } from 'node:http'
import type { BotAuth } from '../bots/authschema.ts'
import { decoded } from './admission.ts'
import { proofHeaders } from './schemes.ts'

/**
 * By lower-case name, in the order they came; at most 40 of them and 8 KiB, beyond that the longest are left out. Whatever carries a
 * secret, a token or a signature is not among them, whatever the bot takes as proof is not, and what only the connection
 * needs is not either. Of a request whose URL holds `secret`, no header that tells the URL is.
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
    kept[name] = value
    count++
  }
  return size > mostBytes || count > mostHeaders ? shortest(kept) : kept
}

/** What names the event is short: what some proxy adds must not push it out. */
function shortest(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const sizes = Object.entries(headers).map(([name, value]) => ({ name, size: name.length + value.length }))
  const fitting = new Set<string>()
  let room = mostBytes
  for (const { name, size } of sizes.toSorted((one, other) => one.size - other.size).slice(0, mostHeaders)) {
    room -= size
    if (room < 0) break
    fitting.add(name)
  }
  return Object.fromEntries(Object.entries(headers).filter(([name]) => fitting.has(name)))
}

/** `X-Original-URL` and its like, by which proxies tell what they were asked for, as it came or decoded. */
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

// Looked at for every delivery: names are few and come again, so what was found is remembered.
function isLeftOut(name: string): boolean {
  const known = leftOut.get(name)
  if (known !== undefined) return known
  const found = ofConnection.has(name) || proving.test(name)
  if (leftOut.size < mostNames) leftOut.set(name, found)
  return found
}

const leftOut = new Map<string, boolean>()
const proving = /auth|cookie|secret|signature|token|password|api-?key|credential/
const ofConnection = new Set([
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

const mostHeaders = 40
const mostBytes = 8 * 1024
const mostNames = 1_000
