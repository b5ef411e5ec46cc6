// Tokens: passwords that are made here, for one program each. They are random enough that a plain digest keeps them safe.
import { createHash, randomBytes } from 'node:crypto'

/** It tells a token from a password, also to programs that look for secrets in files. */
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
