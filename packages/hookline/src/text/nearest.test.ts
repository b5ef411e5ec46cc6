import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import { nearest } from './nearest.ts'

test('the nearest word differs in at most half of its letters', () => {
  assert.equal(nearest('strat', ['start', 'stop']), 'start')
  assert.equal(nearest('BOT LIST', ['bot list', 'bot edit']), 'bot list')
  assert.equal(nearest('bot craete', ['bot create', 'bot delete']), 'bot create')
  assert.equal(nearest('widht', ['kind', 'width']), 'width')
  assert.equal(nearest('OWNER', ['name', 'owner']), 'owner')
  assert.equal(nearest('watch', ['bot create']), undefined)
  assert.equal(nearest('n', ['name']), undefined)
  assert.equal(nearest('colour', ['width', 'kind']), undefined)
  assert.equal(nearest('x', []), undefined)
})

test('a known word is nearest to itself', () => {
  const words = fc.uniqueArray(fc.stringMatching(/^[a-z]{1,12}$/), { minLength: 1, maxLength: 8 })
  fc.assert(fc.property(words, (known) => known.every((word) => nearest(word, known) === word)))
})
