import assert from 'node:assert/strict'
import { test } from 'node:test'
import { heldBytes } from '../../test/heap.ts'
import { EventClock } from './eventclock.ts'

test('within a conversation each time is later than the one before; across conversations it is the clock’s', () => {
  let now = 1_000
  const clock = new EventClock(() => now)
  assert.deepEqual(
    ['#a', '#a', '#b', '#a'].map((each) => clock.next(each)),
    [1_000, 1_001, 1_000, 1_002],
  )
  assert.equal(clock.nextIn(['#a', '#b', '#c']), 1_003)
  assert.equal(clock.next('#b'), 1_004)
  now = 1_002
  assert.equal(clock.next('#a'), 1_004)
  assert.equal(clock.next('#d'), 1_002)
  now = 2_000
  assert.equal(clock.next('#a'), 2_000)
  assert.equal(clock.latest, 2_000)
  // The machine's clock was set back.
  now = 1_500
  assert.equal(clock.latest, 2_000)
  assert.equal(clock.next('#a'), 2_001)
})

test('a clock that was days ahead leaves nothing behind, in no conversation', () => {
  let now = 1_000
  const clock = new EventClock(() => now)
  clock.next('#a')
  now = 400_000_000_000
  assert.equal(clock.next('#a'), now)
  now = 2_000
  assert.equal(clock.latest, 2_000)
  assert.deepEqual([clock.next('#a'), clock.next('#a'), clock.next('#b')], [2_000, 2_001, 2_000])
})

test('a conversation that runs far ahead does not keep the others in memory for ever', () => {
  let now = 1_000
  const clock = new EventClock(() => now)
  for (let i = 0; i < 5_000; i++) clock.next('#flood')
  const before = heldBytes()
  for (let i = 0; i < 300_000; i++) {
    if (i % 100 === 0 && now < 5_000) now++
    assert.equal(clock.next(`#${i}`), now)
  }
  assert.ok(heldBytes() - before < 8 * 1024 ** 2)
  assert.equal(clock.next('#flood'), 6_000)
})
