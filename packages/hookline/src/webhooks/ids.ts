// Ids of deliveries: `d-01k2v8qm3txyz…`, short enough to type, and in the order of their making.
import { chance, digits } from '../ids.ts'

/** Nine characters of time in ms, then 40 random bits, so that nobody can guess the next one. */
export function newDeliveryId(now: number = Date.now()): string {
  return `d-${digits(now, 9)}${chance(8)}`
}
