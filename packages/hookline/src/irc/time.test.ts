import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { formatDay, formatMinute, formatTime, parseTime } from './time.ts'

test('a formatted time parses back', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 253_402_300_799_999 }), (at) => {
      assert.equal(parseTime(formatTime(at)), at)
    }),
  )
})

test('an invalid time is rejected', () => {
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

test('people see the minute or the day', () => {
  const at = Date.UTC(2026, 3, 3, 9, 15, 59, 999)
  assert.equal(formatMinute(at), '2026-04-03 09:15 UTC')
  assert.equal(formatDay(at), '2026-04-03')
})
