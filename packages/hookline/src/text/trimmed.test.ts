import assert from 'node:assert/strict'
import test from 'node:test'
import { withoutLast } from './trimmed.ts'

test('all of a character goes from the end, and nothing else', () => {
  assert.equal(withoutLast('=', 'a=b=='), 'a=b')
  assert.equal(withoutLast('=', '=='), '')
  assert.equal(withoutLast('=', ''), '')
})
