// Verifies that a request's sender holds the bot's secret, on the raw bytes.
import { createPublicKey } from 'node:crypto'
import type { BotAuth } from '../senders/authschema.ts'
import { secretForm } from '../senders/authtypes.ts'
import type { Bot } from '../bots/roster.ts'
import { isPublicKey, keyBytes, resolveSecret, secretFlaw } from '../senders/secret.ts'
import type { SecretForm } from '../senders/sender.ts'
import { type Check, checkFor, type Headers, type Key, type Verdict } from '../senders/scheme.ts'
import { schemesOf } from '../senders/schemes.ts'

/** `unreadable`: a secret that might prove it cannot be read; the problems never contain a secret. */
export type Proof =
  /** `id` names the header with the sender's delivery id, if the proof covers it. */
  | { readonly kind: 'proven'; readonly id: string | null }
  | { readonly kind: 'unproven'; readonly reason: Exclude<Verdict, 'holds'> }
  | { readonly kind: 'unreadable'; readonly problems: readonly string[] }

/**
 * A bot without `trigger.auth` requires no proof. Secrets are read at the first request after a start or an edit. `now`
 * is in ms.
 */
export function prove(bot: Bot, headers: Headers, body: Uint8Array, now: number): Proof {
  const auth = bot.settings?.trigger.auth
  if (!auth || auth.type === 'none') return PROVEN
  const { checks, problems } = checksOf(auth, bot.folder)
  if (checks.length === 0) return { kind: 'unreadable', problems }

  for (const { check, id } of checks) {
    const verdict = check({ headers, body, now })
    if (verdict === 'holds') return { kind: 'proven', id }
    if (verdict === 'forged' && problems.length > 0) return { kind: 'unreadable', problems }
    if (verdict !== 'missing') return { kind: 'unproven', reason: verdict }
  }
  return { kind: 'unproven', reason: 'missing' }
}

const PROVEN = { kind: 'proven', id: null } as const

interface Checks {
  readonly checks: readonly { readonly check: Check; readonly id: string | null }[]
  readonly problems: readonly string[]
}

/** An edit creates a new settings object, so this cache is dropped with the old one. */
const known = new WeakMap<BotAuth, Checks>()

function checksOf(auth: BotAuth, folder: string): Checks {
  const cached = known.get(auth)
  if (cached) return cached
  const { keys, problems } = keysOf(auth, folder)
  const schemes = keys.length === 0 ? [] : schemesOf(auth)
  const checks = schemes.map((scheme) => ({
    check: checkFor(scheme, keys),
    id: scheme.kind === 'signed' ? scheme.id : null,
  }))
  const made = { checks, problems }
  // A secret that cannot be read now may be there at the next request.
  if (problems.length === 0) known.set(auth, made)
  return made
}

function keysOf(auth: BotAuth, folder: string): { keys: readonly Key[]; problems: readonly string[] } {
  const form = secretForm(auth)
  const keys: Key[] = []
  const problems: string[] = []
  for (const reference of auth.secrets) {
    const resolved = resolveSecret(reference, folder)
    const problem = resolved.ok ? secretFlaw(resolved.secret, form) : resolved.reason
    const key = resolved.ok && problem === undefined ? keyOf(resolved.secret, form) : undefined
    if (key) keys.push(key)
    else problems.push(problem ?? 'a secret does not have the form that its type requires')
  }
  return { keys, problems }
}

function keyOf(secret: string, form: SecretForm): Key | undefined {
  const bytes = keyBytes(secret, form)
  if (!bytes) return undefined
  if (form !== 'base64' || !isPublicKey(secret)) return { kind: 'shared', bytes }
  // RFC 8037, 2.
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: bytes.toString('base64url') }
  return { kind: 'public', key: createPublicKey({ key: jwk, format: 'jwk' }) }
}
