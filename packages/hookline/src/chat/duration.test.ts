import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatDuration, parseDuration } from './duration.ts'

test('durations parse and print as operators write them', () => {
  assert.equal(parseDuration('90s'), 90_000)
  assert.equal(parseDuration('1d12H'), 36 * 3_600_000)
  assert.equal(formatDuration(36 * 3_600_000), '1d12h')
  assert.equal(formatDuration(90_000), '1m30s')
  assert.equal(formatDuration(0), '0s')
  assert.equal(formatDuration((parseDuration('9d3h4m') ?? 0) + 5), '9d3h4m')
  for (const text of ['', '1', 'd', '0s', '1y', '-1d', '1d ', '1000000w', '1.5h']) {
    assert.equal(parseDuration(text), undefined, text)
  }
})
