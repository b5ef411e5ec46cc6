import assert from 'node:assert/strict'
import test from 'node:test'
import { Seldom } from './seldom.ts'

test('it is a key’s turn once a minute, and the next turn counts those in between', () => {
  const seldom = new Seldom()
  assert.deepEqual(seldom.turn('a', 0), {})
  assert.equal(seldom.turn('a', 1), undefined)
  assert.equal(seldom.turn('a', 59_999), undefined)
  assert.deepEqual(seldom.turn('b', 59_999), {}, 'another key has its own turn')
  assert.deepEqual(seldom.turn('a', 60_000), { more: 2 })
  assert.deepEqual(seldom.turn('a', 120_000), {})
})

test('beyond a thousand keys the one longest ago is forgotten', () => {
  const seldom = new Seldom()
  for (let key = 0; key <= 1_000; key++) seldom.turn(`${key}`, 0)
  assert.equal(seldom.turn('1', 0), undefined)
  assert.deepEqual(seldom.turn('0', 0), {})
})
