// Tokens: generated passwords, one for each program. They are random enough for a plain digest to be safe.
import { createHash, randomBytes } from 'node:crypto'

/** Tells a token from a password, also for secret scanners. */
export const TOKEN_PREFIX = 'hlt_'

/** 256 random bits. */
export function newToken(): string {
  return TOKEN_PREFIX + randomBytes(32).toString('base64url')
}

export function isToken(text: string): boolean {
  return TOKEN.test(text)
}

const TOKEN = new RegExp(`^${TOKEN_PREFIX}[A-Za-z0-9_-]{43}$`)

export function digestOf(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}
