// Ids of deliveries: `d-01k2v8qm3txyz…`, short enough to type, and in the order of their making.
import { setChance, setNumber } from '../ids.ts'

/** Nine characters of time in ms, then 40 random bits, so that nobody can guess the next one. */
export function newDeliveryId(now: number = Date.now()): string {
  setNumber(bytes, 2, 11, now)
  setChance(bytes, 11, 19)
  return bytes.toString('latin1')
}

const bytes = Buffer.from('d-'.padEnd(19))
