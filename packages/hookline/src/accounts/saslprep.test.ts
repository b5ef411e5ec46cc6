import assert from 'node:assert/strict'
import { test } from 'node:test'
import { saslPrep } from './saslprep.ts'

test('the examples of RFC 4013 give its results', () => {
  assert.equal(saslPrep('I\u{ad}X'), 'IX')
  assert.equal(saslPrep('user'), 'user')
  assert.equal(saslPrep('USER'), 'USER')
  assert.equal(saslPrep('\u{aa}'), 'a')
  assert.equal(saslPrep('\u{2168}'), 'IX')
  assert.equal(saslPrep('\u{07}'), undefined)
})

test('accents and spaces are normalized, however they were typed', () => {
  assert.equal(saslPrep('cafe\u{301}\u{a0}au lait'), 'café au lait')
  assert.equal(saslPrep('kettle ☕'), 'kettle ☕')
  assert.equal(saslPrep('a\u{202e}b'), undefined)
})
