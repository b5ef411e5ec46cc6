// Ids that sort by time and cannot be guessed.
import { randomFillSync } from 'node:crypto'

// Crockford's base 32: no look-alike letters.
const DIGITS = '0123456789abcdefghjkmnpqrstvwxyz'
const CODES = Buffer.from(DIGITS)

/** 26 characters: 10 of milliseconds, 4 of a per-process counter, 12 (60 bits) random. */
export function newId(now = Date.now()): string {
  counter = (counter + 1) % 2 ** 20
  if (now !== stampedAt) {
    stampedAt = now
    setNumber(bytes, 0, 10, now)
  }
  setNumber(bytes, 10, 14, counter)
  setChance(bytes, 14, 26)
  return bytes.toString('latin1')
}

/** Its time in ms; undefined if `newId` did not make it. */
export function timeOfId(id: string): number | undefined {
  if (!/^[0-9a-hjkmnp-tv-z]{26}$/.test(id)) return undefined
  let time = 0
  for (let i = 0; i < 10; i++) time = time * 32 + DIGITS.indexOf(id[i] ?? '')
  return time
}

// A concatenated string would keep its parts alive, 120 bytes for each id.
const bytes = Buffer.alloc(26)
let counter = 0
// Many ids share a millisecond.
let stampedAt = NaN
// Random bytes are fetched for many ids at once: a call for each would cost more than the rest of a message.
const pool = new Uint8Array(4096)
let used = pool.length

/** Writes digits of 5 random bits each, from `start` to before `end`. */
export function setChance(bytes: Buffer, start: number, end: number): void {
  if (used + end - start > pool.length) {
    randomFillSync(pool)
    used = 0
  }
  for (let i = start; i < end; i++) bytes[i] = CODES[(pool[used++] ?? 0) & 31] ?? 0
}

/** Writes the last digits of a whole number, from `start` to before `end`. */
export function setNumber(bytes: Buffer, start: number, end: number, value: number): void {
  for (let i = end - 1, rest = value; i >= start; i--, rest = Math.floor(rest / 32))
    bytes[i] = CODES[rest % 32] ?? 0
}
