// Password hashes as PHC strings: argon2id for new ones, scrypt is accepted too. Made and checked off the main thread.
// https://github.com/P-H-C/phc-string-format
import { argon2, type Argon2Parameters, randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { withoutLast } from '../text/trimmed.ts'
import { inTurn } from './hashqueue.ts'

const SCRYPT = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,3}),p=(\d{1,3})\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/
const ARGON2ID = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,3}),p=(\d{1,3})\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/

/** Whether `verify` can check the string; the configuration refuses any other. */
export function isPasswordHash(text: string): boolean {
  return isScrypt(text) || isArgon2id(text)
}

// RFC 7914 section 2: N is at least 2, and less than 2^(128 * r / 8).
function isScrypt(text: string): boolean {
  const [, ...parts] = SCRYPT.exec(text) ?? []
  const [ln = 0, r = 0, p = 0] = parts.map(Number)
  const isPossible = ln >= 1 && ln < 16 * r && p >= 1
  return isPossible && scryptBytes(2 ** ln, r, p) <= MOST_BYTES && isLongEnough(parts)
}

// RFC 9106 section 3.1: each lane has 8 KiB.
function isArgon2id(text: string): boolean {
  const [, ...parts] = ARGON2ID.exec(text) ?? []
  const [memory = 0, passes = 0, lanes = 0] = parts.map(Number)
  const isPossible = passes >= 1 && lanes >= 1 && memory >= 8 * lanes
  return isPossible && memory * 1024 <= MOST_BYTES && isLongEnough(parts)
}

/** A truncated hash with an empty key would match every password. */
function isLongEnough(parts: readonly string[]): boolean {
  const [salt = 0, key = 0] = parts.slice(3).map((part) => Buffer.from(part, 'base64').length)
  return salt >= 8 && key >= 16
}

/** Memory for one check: a hash that asks for more is mistyped. */
const MOST_BYTES = 2 ** 30

/** Memory that scrypt needs. */
function scryptBytes(N: number, r: number, p: number): number {
  return 128 * r * (N + p + 2)
}

/** Whether `hash` was made from `password`; undefined when the hash queue is full. */
export function verify(hash: string, password: string): Promise<boolean | undefined> {
  return inTurn(() => check(hash, password))
}

/** A new hash; undefined when the hash queue is full. `cost` is the binary logarithm of the memory in KiB. */
export function hashPassword(password: string, cost: number): Promise<string | undefined> {
  const nonce = randomBytes(16)
  return inTurn(async () => {
    const costs = { memory: 2 ** cost, passes: PASSES, parallelism: 1 }
    return phc(cost, nonce, await argon2id({ message: password, nonce, ...costs, tagLength: KEY_BYTES }))
  })
}

function argon2id(parameters: Argon2Parameters): Promise<Buffer> {
  return promisify(argon2)('argon2id', parameters)
}

/** A hash that no password matches, and that takes as long to check as one of `hashPassword`. */
export function decoyHash(cost: number): string {
  return phc(cost, randomBytes(16), randomBytes(KEY_BYTES))
}

/** Whether `hashPassword` would make such a hash at this cost. */
export function isCurrent(hash: string, cost: number): boolean {
  return hash.startsWith(prefix(cost))
}

/** 16 MiB: OWASP recommends 12 MiB and 3 passes, or an equivalent. */
export const DEFAULT_COST = 14
// https://cheatsheetseries.owasp.org/cheatsheets/Password_Storage_Cheat_Sheet.html#argon2id
const PASSES = 3
const KEY_BYTES = 32

function phc(cost: number, salt: Buffer, key: Buffer): string {
  return `${prefix(cost)}${unpadded(salt)}$${unpadded(key)}`
}

function prefix(cost: number): string {
  return `$argon2id$v=19$m=${2 ** cost},t=${PASSES},p=1$`
}

function unpadded(bytes: Buffer): string {
  return withoutLast('=', bytes.toString('base64'))
}

async function check(hash: string, password: string): Promise<boolean> {
  const wanted = Buffer.from(hash.slice(hash.lastIndexOf('$') + 1), 'base64')
  const found = SCRYPT.test(hash)
    ? await deriveScrypt(hash, password, wanted.length)
    : await deriveArgon2(hash, password, wanted.length)
  return found.length === wanted.length && timingSafeEqual(found, wanted)
}

function deriveScrypt(hash: string, password: string, length: number): Promise<Buffer> {
  const [, ln, r, p, salt = ''] = SCRYPT.exec(hash) ?? []
  const costs = { N: 2 ** Number(ln), r: Number(r), p: Number(p) }
  const options = { ...costs, maxmem: scryptBytes(costs.N, costs.r, costs.p) }
  return new Promise((resolve, reject) => {
    scrypt(password, Buffer.from(salt, 'base64'), length, options, (error, key) =>
      error ? reject(error) : resolve(key),
    )
  })
}

function deriveArgon2(hash: string, password: string, length: number): Promise<Buffer> {
  const [, memory, passes, parallelism, salt = ''] = ARGON2ID.exec(hash) ?? []
  return argon2id({
    message: password,
    nonce: Buffer.from(salt, 'base64'),
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    tagLength: length,
  })
}
