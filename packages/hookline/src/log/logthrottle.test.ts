import assert from 'node:assert/strict'
import test from 'node:test'
import { LogThrottle } from './logthrottle.ts'

test('a key is admitted once a minute, with a count of those in between', () => {
  const throttle = new LogThrottle()
  assert.deepEqual(throttle.admit('a', 0), {})
  assert.equal(throttle.admit('a', 1), undefined)
  assert.equal(throttle.admit('a', 59_999), undefined)
  assert.deepEqual(throttle.admit('b', 59_999), {}, 'another key has its own minute')
  assert.deepEqual(throttle.admit('a', 60_000), { more: 2 })
  assert.deepEqual(throttle.admit('a', 120_000), {})
})

test('beyond a thousand keys the one longest ago is forgotten', () => {
  const throttle = new LogThrottle()
  for (let key = 0; key <= 1_000; key++) throttle.admit(`${key}`, 0)
  assert.equal(throttle.admit('1', 0), undefined)
  assert.deepEqual(throttle.admit('0', 0), {})
})
