// Delivery ids: `d-01k2v8qm3txyz…`, short enough to type, and sorted by time of creation.
import { setChance, setNumber } from '../store/ids.ts'

/** Nine characters of time in ms, then 40 random bits, so that the next one cannot be guessed. */
export function newDeliveryId(now: number = Date.now()): string {
  setNumber(bytes, 2, 11, now)
  setChance(bytes, 11, 19)
  return bytes.toString('latin1')
}

const bytes = Buffer.from('d-'.padEnd(19))
