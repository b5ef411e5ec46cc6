import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ageLimit, BELIEVED_AFTER_MS, DAY_MS, TrustedClock, type TrustedTime } from './trustedclock.ts'

const NOON = 20_000 * DAY_MS
const HOUR_MS = 3_600_000

test('the clock is followed up to a day ahead, and one that is put back does not take time back', () => {
  const { clock, pass, leap, ahead } = start()
  assert.equal(clock.look().time, NOON)
  pass(5_000)
  assert.deepEqual([ahead(), clock.now() - NOON], [0, 5_000])
  leap(DAY_MS)
  assert.deepEqual([ahead(), clock.offBy], [0, undefined])
  leap(-HOUR_MS)
  pass(1_000)
  assert.equal(ahead(), -HOUR_MS, 'time goes on by the monotonic clock')
  assert.equal(clock.now(), NOON + 6_000 + DAY_MS - HOUR_MS, 'what is not deleted follows the clock')
})

test('a clock that is more than a day behind is wrong, whatever it says', () => {
  const { clock, pass, leap } = start()
  leap(-3_650 * DAY_MS)
  pass(HOUR_MS)
  assert.equal(clock.now(), NOON + HOUR_MS)
  assert.equal(clock.look().time, NOON + HOUR_MS)
  assert.equal(clock.offBy, -3_650 * DAY_MS)
  // Forth again.
  leap(3_650 * DAY_MS)
  assert.deepEqual([clock.now(), clock.look().time], [NOON + HOUR_MS, NOON + HOUR_MS])
})

test('a leap of more than a day is believed after an hour in which it was looked at, and not a moment earlier', () => {
  const { clock, pass, leap, ahead } = start()
  leap(40 * DAY_MS)
  assert.equal(clock.now(), NOON + 40 * DAY_MS, 'but for deleting, it counts at once')
  for (let minute = 0; minute < 60; minute++) {
    assert.equal(ahead(), 40 * DAY_MS)
    pass(59_999)
  }
  assert.equal(ahead(), 40 * DAY_MS)
  pass(1_000)
  assert.equal(ahead(), 0)
})

test('a leap that ends, or becomes another, has to hold anew', () => {
  const { clock, pass, leap, ahead } = start()
  leap(40 * DAY_MS)
  clock.look()
  pass(BELIEVED_AFTER_MS - 1)
  assert.equal(ahead(), 40 * DAY_MS)
  leap(-40 * DAY_MS)
  assert.deepEqual([ahead(), clock.look().leap], [0, undefined])
  leap(40 * DAY_MS)
  assert.equal(clock.look().leap?.heldMs, 0)
  pass(BELIEVED_AFTER_MS - 1)
  leap(300 * DAY_MS)
  assert.equal(clock.look().leap?.heldMs, 0)
  pass(BELIEVED_AFTER_MS - 1)
  assert.equal(ahead(), 340 * DAY_MS)
})

test('across restarts a leap is counted as long as servers ran, and time is never lost', () => {
  let known: TrustedTime | undefined
  for (let run = 0; run < 12; run++) {
    const { clock, pass } = start(
      known ?? { time: NOON - 21 * DAY_MS, leap: undefined, jumps: [] },
      run * 1_000,
    )
    assert.ok((clock.offBy ?? 0) > 0, `run ${run}`)
    pass(5 * 60_000)
    known = clock.look()
  }
  const last = start(known, 12_000)
  assert.equal(last.clock.offBy, undefined)
  assert.deepEqual(known?.jumps, [], 'the server was off: what is old by now is old')
})

test('if the clock was set while the server ran, nothing is older for it', () => {
  const { clock, pass, leap } = start()
  pass(DAY_MS)
  const said = clock.now()
  leap(20_000 * DAY_MS)
  clock.look()
  pass(BELIEVED_AFTER_MS)
  const passed = clock.look()
  assert.equal(passed.time, clock.now())
  // Seven days are kept.
  const isOld = (at: number) => at <= ageLimit(clock.look(), 7 * DAY_MS)
  assert.equal(isOld(said), false)
  for (let day = 0; day < 6; day++) {
    pass(DAY_MS)
    assert.equal(isOld(said), false, `${day + 1} days later`)
  }
  assert.equal(isOld(passed.time - HOUR_MS), false, 'said while the leap was not believed yet')
  pass(DAY_MS)
  assert.equal(isOld(said), true)
  assert.equal(isOld(passed.time + 1), false)
})

test('several jumps add up', () => {
  const jumps = [
    { at: 100, by: 50 },
    { at: 300, by: 100 },
  ]
  const limits = [10, 50, 250, 280].map((age) => ageLimit({ time: 310, jumps }, age))
  // 300 is where the last jump led to, so 260 is before it: 160 then, and from 90 on before the first.
  assert.deepEqual(limits, [300, 160, -90, -120])
})

test('an operator may say that the clock is right, also if it is behind', () => {
  const { clock, leap } = start()
  leap(40 * DAY_MS)
  clock.trust()
  assert.deepEqual([clock.offBy, clock.look().time], [undefined, NOON + 40 * DAY_MS])
  leap(-400 * DAY_MS)
  assert.equal(clock.now(), NOON + 40 * DAY_MS)
  clock.trust()
  assert.deepEqual(
    [clock.offBy, clock.look().time, clock.now()],
    [undefined, NOON - 360 * DAY_MS, NOON - 360 * DAY_MS],
  )
  assert.deepEqual(clock.look().jumps, [])
})

function start(known?: TrustedTime, offMs = 0) {
  let [wall, elapsed] = [NOON + offMs, 0]
  const clock = new TrustedClock(
    () => wall,
    () => elapsed,
    known,
  )
  return {
    clock,
    pass: (ms: number) => {
      wall += ms
      elapsed += ms
    },
    leap: (ms: number) => {
      wall += ms
    },
    ahead: () => wall - clock.look().time,
  }
}
