import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { formatTime, parseTime } from './time.ts'

test('a time that we format we can parse back', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 253_402_300_799_999 }), (at) => {
      assert.equal(parseTime(formatTime(at)), at)
    }),
  )
})

test('what is no time is none', () => {
  for (const text of [
    '',
    '*',
    '2026-04-03',
    '2026-04-03T09:15:00',
    '2026-13-03T09:15:00.000Z',
    '2026-02-30T09:15:00.000Z',
    '2026-04-03T24:00:00.000Z',
    'not-a-timestamp',
  ])
    assert.equal(parseTime(text), undefined, text)
  assert.equal(parseTime('2026-04-03T09:15:00Z'), Date.parse('2026-04-03T09:15:00.000Z'))
  assert.equal(parseTime('2026-04-03T09:15:00.1239Z'), Date.parse('2026-04-03T09:15:00.123Z'))
})
