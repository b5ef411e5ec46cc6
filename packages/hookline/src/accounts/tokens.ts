// Tokens: passwords that are made here, for one program each. They are random enough that a plain digest keeps them safe.
import { createHash, randomBytes } from 'node:crypto'

const PREFIX = 'hlt_'

/** 256 random bits; the prefix tells it from a password, also to programs that look for secrets in files. */
export function newToken(): string {
  return PREFIX + randomBytes(32).toString('base64url')
}

export function isToken(text: string): boolean {
  return /^hlt_[A-Za-z0-9_-]{43}$/.test(text)
}

export function digestOf(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}
