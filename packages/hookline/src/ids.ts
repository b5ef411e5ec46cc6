// Ids that sort by time and cannot be guessed.
import { randomFillSync } from 'node:crypto'

// Crockford's base 32: no letter that looks like another.
const DIGITS = '0123456789abcdefghjkmnpqrstvwxyz'

/** 26 characters: 10 of milliseconds, 4 that count within the process, 12 (60 bits) of chance. */
export function newId(now = Date.now()): string {
  counter = (counter + 1) % 2 ** 20
  if (now !== stampedAt) {
    stampedAt = now
    stamp = digits(now, 10)
  }
  return stamp + digits(counter, 4) + chance(12)
}

/** The milliseconds in it; undefined for what was not made here. */
export function timeOfId(id: string): number | undefined {
  if (!/^[0-9a-hjkmnp-tv-z]{26}$/.test(id)) return undefined
  let time = 0
  for (let i = 0; i < 10; i++) time = time * 32 + DIGITS.indexOf(id[i] ?? '')
  return time
}

let counter = 0
// Many ids are made within one millisecond.
let stampedAt = NaN
let stamp = ''
// Randomness is fetched for many ids at once: one call for each would cost more than the rest of a message.
const pool = new Uint8Array(4096)
let used = pool.length

/** So many digits, each of 5 random bits. */
export function chance(length: number): string {
  if (used + length > pool.length) {
    randomFillSync(pool)
    used = 0
  }
  let text = ''
  for (let i = 0; i < length; i++) text += DIGITS[(pool[used++] ?? 0) & 31]
  return text
}

/** The last `length` digits of a whole number. */
export function digits(value: number, length: number): string {
  let text = ''
  for (let rest = value; text.length < length; rest = Math.floor(rest / 32))
    text = (DIGITS[rest % 32] ?? '') + text
  return text
}
