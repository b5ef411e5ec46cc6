import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId, timeOfId } from './ids.ts'
import { newDeliveryId } from '../webhooks/ids.ts'

const NOVEMBER = Date.UTC(2026, 10, 22)

test('an id contains its creation time in ms, and sorts by it', () => {
  const times = [0, 0, 1, 31, 1_000_000].map((later) => NOVEMBER + later)
  const made = times.map((time) => newId(time))
  assert.deepEqual(made.map(timeOfId), times)
  assert.deepEqual(made.toSorted(), made)
})

test('no two ids are the same, and within a millisecond they differ only by the count', () => {
  const made = Array.from({ length: 10_000 }, () => newId(NOVEMBER))
  assert.equal(new Set(made.map((id) => id.slice(10, 14))).size, 10_000)
  assert.equal(new Set(made.map((id) => id.slice(14))).size, 10_000)
})

test('the id of a delivery has nine digits of time and eight random ones', () => {
  const [one, other] = [newDeliveryId(NOVEMBER), newDeliveryId(NOVEMBER)]
  assert.match(one, /^d-[0-9a-hjkmnp-tv-z]{17}$/)
  assert.equal(`d-${newId(NOVEMBER).slice(1, 10)}`, one.slice(0, 11))
  assert.equal(one.slice(0, 11), other.slice(0, 11))
  assert.notEqual(one.slice(11), other.slice(11))
})

test('ids of deliveries sort by time, and no two are the same', () => {
  const ids = Array.from({ length: 1_000 }, (_, i) => newDeliveryId(NOVEMBER + i))
  assert.deepEqual(ids.toSorted(), ids)
  assert.equal(new Set(Array.from({ length: 1_000 }, () => newDeliveryId(NOVEMBER))).size, 1_000)
})
