import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { CAP, type CapName, capNames, isCap } from './caps.ts'

test('every capability has a bit of its own, and every name its capability', () => {
  assert.equal(new Set(Object.values(CAP)).size, Object.keys(CAP).length)
  const all = Object.values(CAP).reduce((sum, bit) => sum | bit, 0)
  assert.equal(capNames(all).length, Object.keys(CAP).length)
  assert.deepEqual(capNames(CAP.batch | CAP.setname), ['batch', 'setname'])
  assert(isCap('batch') && !isCap('toString') && !isCap('Batch'))
})

test('a set of capabilities is the names in it', () => {
  const names = Object.keys(CAP) as CapName[]
  fc.assert(
    fc.property(fc.subarray(names), (some) => {
      assert.deepEqual(capNames(some.reduce((sum, name) => sum | CAP[name], 0)), some)
    }),
  )
})
