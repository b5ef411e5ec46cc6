// Ids of deliveries: `d-01k2v8qm3txyz…`, short enough to type, and in the order of their making.
import { randomBytes } from 'node:crypto'

/** Nine characters of time in ms, then 40 random bits, so that nobody can guess the next one. */
export function newDeliveryId(now: number = Date.now()): string {
  return `d-${base32(now, 9)}${base32(randomBytes(5).readUIntBE(0, 5), 8)}`
}

// Crockford's alphabet: no i, l, o, u, which are misread or spell things.
const digits = '0123456789abcdefghjkmnpqrstvwxyz'

function base32(value: number, length: number): string {
  let text = ''
  for (let rest = value; text.length < length; rest = Math.floor(rest / 32))
    text = (digits[rest % 32] ?? '') + text
  return text
}
