// Passwords as they are kept: PHC strings, scrypt or argon2id. Checked off the main thread, a few at a time.
// https://github.com/P-H-C/phc-string-format
import { argon2, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'

const SCRYPT = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,3}),p=(\d{1,3})\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/
const ARGON2ID = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,3}),p=(\d{1,3})\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/

/** True for a string that `matches` can check; the configuration refuses any other. */
export function isPasswordHash(text: string): boolean {
  return SCRYPT.test(text) || ARGON2ID.test(text)
}

/** Hashes at once: each may hold tens of MiB. The rest wait their turn. */
const AT_ONCE = 2
/** Past this many in line the answer is no, quickly: only somebody guessing asks so often. */
const LONGEST_LINE = 64

let running = 0
const line: (() => void)[] = []

/** Whether `password` is the one that `hash` was made of. */
export async function matches(hash: string, password: string): Promise<boolean> {
  if (line.length >= LONGEST_LINE) return false
  if (running >= AT_ONCE) await new Promise<void>((go) => line.push(go))
  running++
  try {
    return await check(hash, password)
  } finally {
    running--
    line.shift()?.()
  }
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
  const cost = 2 ** Number(ln)
  const options = { N: cost, r: Number(r), p: Number(p), maxmem: 256 * cost * Number(r) }
  return new Promise((resolve, reject) => {
    scrypt(password, Buffer.from(salt, 'base64'), length, options, (error, key) =>
      error ? reject(error) : resolve(key),
    )
  })
}

async function deriveArgon2(hash: string, password: string, length: number): Promise<Buffer> {
  const [, memory, passes, parallelism, salt = ''] = ARGON2ID.exec(hash) ?? []
  return promisify(argon2)('argon2id', {
    message: password,
    nonce: Buffer.from(salt, 'base64'),
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    tagLength: length,
  })
}
