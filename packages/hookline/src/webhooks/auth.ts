// Proof that a request comes from somebody who holds the bot's secret, on the bytes as they came.
import { createHmac, hash, timingSafeEqual } from 'node:crypto'
import type { Bot } from '../bots/bots.ts'
import type { BotAuth } from '../bots/botfile.ts'
import { resolveSecret } from '../bots/secret.ts'

/** `unreadable`: no secret of the bot can be read, so nobody can prove anything; the problems never hold a secret. */
export type Proof =
  | { kind: 'proven' }
  | { kind: 'unproven' }
  | { kind: 'unreadable'; problems: readonly string[] }

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>

/** A bot without `trigger.auth` asks for no proof. Secrets are read when a bot is first used after its start. */
export function prove(bot: Bot, headers: Headers, body: Uint8Array): Proof {
  const auth = bot.settings?.trigger.auth
  if (!auth) return { kind: 'proven' }
  const { secrets, problems } = secretsOf(auth, bot.folder)
  if (secrets.length === 0) return { kind: 'unreadable', problems }

  const isProven = auth.type === 'github' ? isSigned(headers, body, secrets) : bearsToken(headers, secrets)
  return { kind: isProven ? 'proven' : 'unproven' }
}

// https://docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries
// Gitea sends its signature headers empty when it has no secret: what does not match the pattern is missing.
function isSigned(headers: Headers, body: Uint8Array, secrets: readonly Buffer[]): boolean {
  const hex = /^sha256=([0-9a-f]{64})$/.exec(text(headers['x-hub-signature-256']))?.[1]
  if (hex === undefined) return false
  const given = Buffer.from(hex, 'hex')
  return isAny(secrets, (secret) => createHmac('sha256', secret).update(body).digest(), given)
}

function bearsToken(headers: Headers, secrets: readonly Buffer[]): boolean {
  const bearer = /^Bearer +(\S+)$/i.exec(text(headers['authorization']))?.[1]
  const token = bearer ?? text(headers['x-hookline-token'])
  if (token === '') return false
  // Digests have equal lengths, so that the time tells nothing about the length either.
  return isAny(secrets, (secret) => hash('sha256', secret, 'buffer'), hash('sha256', token, 'buffer'))
}

/** Looks at all of them, so that the time does not tell which. */
function isAny(secrets: readonly Buffer[], digest: (secret: Buffer) => Buffer, given: Buffer): boolean {
  let found = false
  for (const secret of secrets) if (timingSafeEqual(digest(secret), given)) found = true
  return found
}

interface Secrets {
  readonly secrets: readonly Buffer[]
  readonly problems: readonly string[]
}

const known = new WeakMap<BotAuth, Secrets>()

function secretsOf(auth: BotAuth, folder: string): Secrets {
  const cached = known.get(auth)
  if (cached) return cached
  const secrets: Buffer[] = []
  const problems: string[] = []
  for (const reference of auth.secrets) {
    const resolved = resolveSecret(reference, folder)
    if (!resolved.ok) problems.push(resolved.problem)
    else if (resolved.secret !== '') secrets.push(Buffer.from(resolved.secret))
  }
  const read = { secrets, problems }
  // One that cannot be read now may be there for the next request.
  if (problems.length === 0) known.set(auth, read)
  return read
}

function text(value: string | readonly string[] | undefined): string {
  return typeof value === 'string' ? value : ''
}
