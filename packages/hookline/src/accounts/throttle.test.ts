import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Throttle } from './throttle.ts'

test('a limited number of attempts per period, then none until the first is older than the period', () => {
  let now = 0
  const throttle = new Throttle({ perMs: 60_000, elapsed: () => now })
  for (const at of [0, 10_000, 20_000]) {
    now = at
    assert.equal(throttle.take('ann', 3), undefined)
  }
  now = 30_000
  assert.equal(throttle.take('ann', 3), 30_000)
  assert.equal(throttle.take('bob', 3), undefined)
  now = 60_000
  assert.equal(throttle.take('ann', 3), undefined)
  assert.equal(throttle.take('ann', 3), 10_000)
})

test('a success resets the count', () => {
  const throttle = new Throttle({ perMs: 60_000, elapsed: () => 0 })
  assert.equal(throttle.take('ann', 1), undefined)
  throttle.forgive('ann')
  assert.equal(throttle.take('ann', 1), undefined)
})

test('beyond the bound, the least recently used entry is forgotten', () => {
  const throttle = new Throttle({ perMs: 60_000, elapsed: () => 0 })
  for (let i = 0; i <= 10_000; i++) throttle.take(`u${i}`, 1)
  assert.equal(throttle.take('u1', 1), 60_000)
  assert.equal(throttle.take('u0', 1), undefined)
})
