import assert from 'node:assert/strict'
import { test } from 'node:test'
import { orderedTime } from './orderedtime.ts'

test('a clock that is set back is caught up with at half speed, and time never goes back', () => {
  let [machine, elapsed] = [1_000, 0]
  const now = orderedTime(
    () => machine,
    () => elapsed,
  )
  const pass = (ms: number) => {
    machine += ms
    elapsed += ms
    return now()
  }
  assert.deepEqual([pass(0), pass(100), pass(50)], [1_000, 1_100, 1_150])
  machine -= 1_000
  assert.deepEqual([pass(0), pass(100), pass(1), pass(899)], [1_150, 1_200, 1_200, 1_650])
  // Once more, before it is there.
  machine -= 500
  assert.equal(pass(100), 1_700)
  // The machine is at 750. A caller who asks only when it is ahead again gets its time.
  assert.deepEqual([pass(900), pass(60), pass(1_000)], [2_150, 2_180, 2_710])
  machine += 10_000
  assert.equal(pass(0), 12_710)
  // Wrong by days until now.
  machine += 200_000_000
  assert.equal(pass(0), 200_012_710)
  machine -= 100_000_000
  assert.equal(pass(0), 100_012_710)
})

test('it resumes where it ended, unless that was far ahead', () => {
  const begin = (before: number) =>
    orderedTime(
      () => 1_000,
      () => 0,
      { before },
    )()
  assert.deepEqual([begin(0), begin(900), begin(5_000), begin(90_000_000)], [1_000, 1_000, 5_000, 1_000])
})
