// Secrets of bots: written out, or named by `env:NAME` or `file:PATH` and read when they are used.
import { randomBytes } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { type Refusable, refuse } from '../failure/refusal.ts'
import { withoutLast } from '../text/trimmed.ts'
import type { SecretForm } from './sender.ts'

/** True for a secret of 8 characters or more and for a well-formed reference. */
export function isSecret(text: string): boolean {
  if (text.startsWith('env:')) return /^env:[A-Za-z_][A-Za-z0-9_]*$/.test(text)
  if (text.startsWith('file:')) return /^file:[^\0]+$/.test(text)
  return text.length >= MINIMUM
}

/** True for `env:NAME` and `file:PATH`, which may be shown, since they are not the secret. */
export function isReference(text: string): boolean {
  return text.startsWith('env:') || text.startsWith('file:')
}

/** The secret itself. A relative path begins at the bot's folder. The reason names the variable or the path, never a value. */
export function resolveSecret(
  reference: string,
  folder: string,
  env: Readonly<Record<string, string | undefined>> = process.env,
): Refusable<{ secret: string }> {
  if (reference.startsWith('env:')) {
    const variable = reference.slice('env:'.length)
    const value = env[variable]
    if (value === undefined)
      return refuse(`the environment variable ${variable} is not set: set it for the server`)
    return longEnough(value, `the environment variable ${variable}`)
  }
  if (reference.startsWith('file:')) {
    const path = resolve(folder, reference.slice('file:'.length))
    try {
      const stats = statSync(path)
      if (!stats.isFile()) return refuse(`${path} is not a file: put the secret into one`)
      if (stats.size > MAXIMUM_BYTES)
        return refuse(`${path} is longer than ${MAXIMUM_BYTES} bytes: shorten it`)
      return longEnough(readFileSync(path, 'utf8').trim(), path)
    } catch {
      return refuse(`${path} cannot be read: create it, and let the server read it`)
    }
  }
  return longEnough(reference, 'the secret')
}

/** Why a secret cannot be used in this form; the answer does not contain it. */
export function secretFlaw(secret: string, form: SecretForm): string | undefined {
  switch (form) {
    case 'text':
      return undefined
    case 'pair':
      return /^[^:]+:.+$/s.test(secret) ? undefined : 'must be user:password'
    case 'base64': {
      const bytes = keyBytes(secret, form)
      if (!bytes) return 'must be base64, as in whsec_MfKQ…: copy all of it'
      if (isPublicKey(secret) && bytes.length !== 32) return 'must hold 32 bytes after whpk_: copy all of it'
      return bytes.length >= MINIMUM ? undefined : `must encode at least ${MINIMUM} bytes`
    }
  }
}

/** The bytes that the secret stands for; undefined when it is not of this form. */
export function keyBytes(secret: string, form: SecretForm): Buffer | undefined {
  if (form !== 'base64') return Buffer.from(secret)
  const text = withoutLast('=', secret.replace(/^wh(sec|pk)_/, ''))
  const bytes = Buffer.from(text, 'base64')
  // Node skips what is not base64, so a key of which half was skipped would look valid.
  return withoutLast('=', bytes.toString('base64')) === text && bytes.length > 0 ? bytes : undefined
}

/** Standard Webhooks: `whpk_` begins an ed25519 public key, `whsec_` a key that both sides hold. */
export function isPublicKey(secret: string): boolean {
  return secret.startsWith('whpk_')
}

/** A new secret of 32 random bytes. A pair keeps the user of the one before, if that is written out. */
export function newSecret(form: SecretForm = 'text', before = ''): string {
  const bytes = randomBytes(32)
  switch (form) {
    case 'text':
      return bytes.toString('base64url')
    case 'base64':
      return `whsec_${bytes.toString('base64')}`
    case 'pair': {
      const user = isReference(before) ? '' : before.split(':', 1)[0]
      return `${user || 'hookline'}:${bytes.toString('base64url')}`
    }
  }
}

// GitHub advises a random string of high entropy; fewer than 8 characters are easily guessed.
const MINIMUM = 8
const MAXIMUM_BYTES = 4096

function longEnough(secret: string, where: string): Refusable<{ secret: string }> {
  return secret.length >= MINIMUM
    ? { ok: true, secret }
    : refuse(`${where} has fewer than ${MINIMUM} characters`)
}
