// Secrets of bots: written out, or named by `env:NAME` or `file:PATH` and read when they are used.
import { randomBytes } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { resolve } from 'node:path'

export type ResolvedSecret =
  | { readonly ok: true; readonly secret: string }
  | { readonly ok: false; readonly problem: string }

/** True for a secret of 8 characters or more and for a well-formed reference. */
export function isSecret(text: string): boolean {
  if (text.startsWith('env:')) return /^env:[A-Za-z_][A-Za-z0-9_]*$/.test(text)
  if (text.startsWith('file:')) return /^file:[^\0]+$/.test(text)
  return text.length >= minimum
}

/** The secret itself. A relative path begins at the bot's folder. The problem names the variable or the path, never a value. */
export function resolveSecret(
  reference: string,
  folder: string,
  env: Readonly<Record<string, string | undefined>> = process.env,
): ResolvedSecret {
  if (reference.startsWith('env:')) {
    const variable = reference.slice('env:'.length)
    const value = env[variable]
    if (value === undefined)
      return missing(`the environment variable ${variable} is not set: set it for the server`)
    return longEnough(value, `the environment variable ${variable}`)
  }
  if (reference.startsWith('file:')) {
    const path = resolve(folder, reference.slice('file:'.length))
    try {
      if (!statSync(path).isFile()) return missing(`${path} is not a file: put the secret into one`)
      if (statSync(path).size > maximumBytes) return missing(`${path} is longer than ${maximumBytes} bytes`)
      return longEnough(readFileSync(path, 'utf8').trim(), path)
    } catch {
      return missing(`${path} cannot be read: create it, readable by the server`)
    }
  }
  return longEnough(reference, 'the secret')
}

/** A fresh secret, 43 letters, digits, - and _. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url')
}

// GitHub's own advice is a random string of high entropy; below 8 characters it is a guess away.
const minimum = 8
const maximumBytes = 4096

function longEnough(secret: string, where: string): ResolvedSecret {
  return secret.length >= minimum
    ? { ok: true, secret }
    : missing(`${where} holds less than ${minimum} characters`)
}

function missing(problem: string): ResolvedSecret {
  return { ok: false, problem }
}
