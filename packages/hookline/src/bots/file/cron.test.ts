import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cronFlaw, isTimezone, lastRun, nextRun, type Schedule } from './cron.ts'

const berlin = (cron: string): Schedule => ({ cron, timezone: 'Europe/Berlin', catchUp: false })
const iso = (time: number | undefined) => (time === undefined ? undefined : new Date(time).toISOString())

test('the next run is after a time, the last one at or before it', () => {
  const daily = berlin('0 9 * * *')
  const run = Date.UTC(2026, 6, 1, 7)
  assert.equal(nextRun(daily, run - 1), run)
  assert.equal(nextRun(daily, run), run + 86_400_000)
  assert.equal(lastRun(daily, run), run)
  assert.equal(lastRun(daily, run + 999), run)
  assert.equal(lastRun(daily, run - 1), run - 86_400_000)
})

test('a fixed time in a skipped hour runs at the end of it; in a repeated hour it runs once', () => {
  const night = berlin('30 2 * * *')
  const runs = (from: number, count: number) => {
    const found: (string | undefined)[] = []
    for (let time = from; found.length < count; time = nextRun(night, time) ?? 0)
      found.push(iso(nextRun(night, time)))
    return found
  }
  assert.deepEqual(runs(Date.UTC(2026, 2, 28, 12), 2), [
    '2026-03-29T01:00:00.000Z',
    '2026-03-30T00:30:00.000Z',
  ])
  assert.deepEqual(runs(Date.UTC(2026, 9, 24, 12), 2), [
    '2026-10-25T00:30:00.000Z',
    '2026-10-26T01:30:00.000Z',
  ])
})

test('lists and ranges of times also run once, whatever the clock does; a star follows the actual hours', () => {
  const day = (cron: string, from: number) => {
    const found: string[] = []
    for (let time = nextRun(berlin(cron), from); time && time < from + 20 * 3_600_000;) {
      found.push(iso(time)?.slice(11, 16) ?? '')
      assert.equal(lastRun(berlin(cron), time), time)
      time = nextRun(berlin(cron), time)
    }
    return found.join(' ')
  }
  const [spring, autumn] = [Date.UTC(2026, 2, 28, 23, 30), Date.UTC(2026, 9, 24, 22, 30)]
  assert.equal(day('0 2,14 * * *', spring), '01:00 12:00')
  assert.equal(day('0 2,14 * * *', autumn), '00:00 13:00')
  assert.equal(day('0,30 2 * * *', spring), '01:00')
  assert.equal(day('0,30 2 * * *', autumn), '00:00 00:30')
  assert.equal(day('0 1-3 * * *', spring), '00:00 01:00')
  assert.equal(day('0 1-3 * * *', autumn), '23:00 00:00 02:00')
  assert.equal(day('*/30 2 * * *', spring), '')
  assert.equal(day('*/30 2 * * *', autumn), '00:00 00:30 01:00 01:30')
})

test('an invalid expression is reported by its field', () => {
  const flaws: readonly [string, RegExp | undefined][] = [
    ['*/15 8-18 * * MON-FRI', undefined],
    ['@daily', undefined],
    ['0 0 29 2 *', undefined],
    ['61 * * * *', /^has an invalid minute: .*"0 9 \* \* 1-5"/],
    ['0 9 * * monday!', /^has an invalid weekday/],
    ['0 9 * *', /^must have five fields/],
    ['0 0 9 * * *', /^must have five fields/],
    ['@dayly', /^must be five fields/],
    ['', /^must have five fields/],
    ['0 0 30 2 *', /^names a day that never comes/],
  ]
  for (const [cron, expected] of flaws) {
    const flaw = cronFlaw(cron)
    if (expected) assert.match(flaw ?? 'none', expected, cron)
    else assert.equal(flaw, undefined, cron)
  }
  assert.ok(isTimezone('Asia/Kolkata'))
  assert.ok(!isTimezone('Berlin'))
})
