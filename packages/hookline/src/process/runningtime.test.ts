import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pass, RunningTime } from './runningtime.ts'

test('time goes on while the process runs, and stands still while it is stopped', () => {
  let now = 10_000
  const time = new RunningTime(1_000, () => now)
  now += 5_900
  assert.equal(time.elapsed, 15_900, 'late, but not stopped')
  time.tick()
  now += 60_000
  assert.equal(time.elapsed, 16_900, 'read before the next tick')
  time.tick()
  assert.equal(time.elapsed, 16_900)
  now += 500
  assert.equal(time.elapsed, 17_400)
})

test('it never goes back, also where what seemed late turns out to be a stop', () => {
  let now = 10_000
  const time = new RunningTime(1_000, () => now)
  now += 5_999
  assert.equal(time.elapsed, 15_999)
  now += 100
  assert.equal(time.elapsed, 15_999)
  time.tick()
  now += 5_500
  assert.equal(time.elapsed, 16_500)
})

test('a limit that has passed while the process was stopped is granted again', async () => {
  // When it began, when it ended: stopped for a minute, then not.
  const times = [0, 60_000, 60_000, 60_010]
  await pass(1, new AbortController().signal, () => times.shift() ?? Number.NaN)
  assert.deepEqual(times, [])
})
