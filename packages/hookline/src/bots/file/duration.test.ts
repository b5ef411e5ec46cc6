import assert from 'node:assert/strict'
import { test } from 'node:test'
import { duration, formatRate, rate } from './duration.ts'

test('times and rates parse as people write them, and print back the same', () => {
  const time = duration(1_000, 30 * 86_400_000)
  const times = {
    '1s': 1_000,
    '90s': 90_000,
    '10m': 600_000,
    '24h': 86_400_000,
    '1h30m': 5_400_000,
    '7d': 604_800_000,
  }
  for (const [text, ms] of Object.entries(times)) assert.equal(time.parse(text), ms)
  assert.equal(formatRate(rate.parse('60/1m')), '60/1m')
  assert.deepEqual(rate.parse('60/m'), { count: 60, everyMs: 60_000 })
})

test('anything else is refused with an example', () => {
  const time = duration(1_000, 60_000)
  for (const text of ['', '5', '0s', '-5s', '1.5m', '5 s', '2m', '9999999999s', '5w']) {
    const read = time.safeParse(text)
    assert.match(
      read.error?.issues[0]?.message ?? '',
      /^must be a time such as 90s, 10m or 24h, from 1s to 1m$/,
    )
  }
  for (const text of ['', '60', '0/1m', '/1m', '60/', '1000000/1m', 'x/1m', '60/1m/2']) {
    assert.match(
      rate.safeParse(text).error?.issues[0]?.message ?? '',
      /^must be a number, \/ and a time, such as 60\/1m/,
    )
  }
})
