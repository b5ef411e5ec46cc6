// SCRAM-SHA-256, server side: the password is neither sent nor stored. https://www.rfc-editor.org/rfc/rfc5802,
// https://www.rfc-editor.org/rfc/rfc7677
import { createHash, createHmac, pbkdf2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { inTurn } from './hashqueue.ts'

/** What is stored of a password, in base64. */
export interface ScramKeys {
  readonly salt: string
  readonly iterations: number
  readonly storedKey: string
  readonly serverKey: string
}

/** The client-first message. */
export interface ClientFirst {
  /** Empty: the same as the username. */
  readonly authzid: string
  readonly username: string
  readonly nonce: string
  /** The GS2 header, such as `n,,`; `bare` is the rest. */
  readonly header: string
  readonly bare: string
}

/** A SCRAM exchange under way. */
export interface ScramExchange {
  readonly serverFirst: string
  /** The server-final message for a valid proof; otherwise undefined. */
  finish(clientFinal: string): string | undefined
}

/** Undefined when the hash queue is full. `password` has gone through SASLprep. */
export async function makeKeys(
  password: string,
  iterations: number,
  salt: Buffer = randomBytes(16),
): Promise<ScramKeys | undefined> {
  const salted = await inTurn(() => promisify(pbkdf2)(password, salt, iterations, 32, 'sha256'))
  if (salted === undefined) return undefined
  return {
    salt: salt.toString('base64'),
    iterations,
    storedKey: sha256(hmac(salted, 'Client Key')).toString('base64'),
    serverKey: hmac(salted, 'Server Key').toString('base64'),
  }
}

/** Keys that no proof matches, for a name without keys. The salt is always the same, or it would reveal who exists. */
export function decoyKeys(name: string, secret: Buffer, iterations: number): ScramKeys {
  return {
    salt: hmac(secret, name).subarray(0, 16).toString('base64'),
    iterations,
    storedKey: randomBytes(32).toString('base64'),
    serverKey: randomBytes(32).toString('base64'),
  }
}

/** Undefined when malformed, or when the client insists on channel binding, which is not offered. */
export function parseClientFirst(message: string): ClientFirst | undefined {
  // `m=` would be a mandatory extension: none is supported.
  const parts = /^((?:n|y),(?:a=([^,]+))?,)(n=([^,]+),r=([\x21-\x2b\x2d-\x7e]{1,256})(?:,.*)?)$/s.exec(
    message,
  )
  if (parts === null) return undefined
  const [, header = '', authzid = '', bare = '', username = '', nonce = ''] = parts
  const names = [authzid, username].map(unescapeName)
  if (names[0] === undefined || !names[1]) return undefined
  return { authzid: names[0], username: names[1], nonce, header, bare }
}

export function beginScram(
  { nonce: theirs, bare, header }: ClientFirst,
  keys: ScramKeys,
  ours: string = randomBytes(18).toString('base64'),
): ScramExchange {
  const nonce = theirs + ours
  const serverFirst = `r=${nonce},s=${keys.salt},i=${keys.iterations}`
  const binding = Buffer.from(header).toString('base64')
  return {
    serverFirst,
    finish(clientFinal) {
      const parts = /^(c=([^,]+),r=([^,]+)(?:,[^,]+)*),p=([A-Za-z0-9+/]{43}=)$/s.exec(clientFinal)
      if (parts === null) return undefined
      const [, withoutProof = '', channel, echoed, proof = ''] = parts
      if (channel !== binding || echoed !== nonce) return undefined
      const authMessage = `${bare},${serverFirst},${withoutProof}`
      const storedKey = Buffer.from(keys.storedKey, 'base64')
      const clientKey = xor(Buffer.from(proof, 'base64'), hmac(storedKey, authMessage))
      if (!timingSafeEqual(sha256(clientKey), storedKey)) return undefined
      return `v=${hmac(Buffer.from(keys.serverKey, 'base64'), authMessage).toString('base64')}`
    },
  }
}

/** RFC 5802 5.1: `,` and `=` are escaped as `=2C` and `=3D`, and a bare `=` is an error. */
function unescapeName(text: string): string | undefined {
  if (/=(?!2C|3D)/.test(text)) return undefined
  return text.replaceAll('=2C', ',').replaceAll('=3D', '=')
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}

function sha256(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest()
}

function xor(a: Buffer, b: Buffer): Buffer {
  return Buffer.from(a.map((byte, i) => byte ^ (b[i] ?? 0)))
}
