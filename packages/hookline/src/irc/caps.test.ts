import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { CAPS, type CapName, capNames, isCap } from './caps.ts'

test('every capability has its own bit, and every name its capability', () => {
  assert.equal(new Set(Object.values(CAPS)).size, Object.keys(CAPS).length)
  const all = Object.values(CAPS).reduce((sum, bit) => sum | bit, 0)
  assert.equal(capNames(all).length, Object.keys(CAPS).length)
  assert.deepEqual(capNames(CAPS.batch | CAPS.setname), ['batch', 'setname'])
  assert(isCap('batch') && !isCap('toString') && !isCap('Batch'))
})

test('a set of capabilities is the set of its names', () => {
  const names = Object.keys(CAPS) as CapName[]
  fc.assert(
    fc.property(fc.subarray(names), (some) => {
      assert.deepEqual(capNames(some.reduce((sum, name) => sum | CAPS[name], 0)), some)
    }),
  )
})
