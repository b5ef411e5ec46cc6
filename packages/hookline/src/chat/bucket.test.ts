import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import { Bucket } from './bucket.ts'

test('a burst is let through at once, and then as many as the rate allows', () => {
  const bucket = new Bucket()
  const rate = { count: 2, everyMs: 1_000 }
  assert.deepEqual(
    [0, 0, 0, 1].map((ms) => bucket.take(ms, rate, 3)),
    [0, 0, 0, 499],
  )
  assert.equal(bucket.readyIn(500, rate, 3), 0)
  assert.equal(bucket.take(500, rate, 3), 0)
  assert.equal(bucket.readyIn(500, rate, 3), 500)
})

test('a clock that is put back neither gives nor takes a token', () => {
  const bucket = new Bucket()
  const rate = { count: 1, everyMs: 1_000 }
  assert.equal(bucket.take(10_000, rate), 0)
  assert.equal(bucket.take(0, rate), 1_000)
  assert.equal(bucket.take(1_000, rate), 0)
})

test('after the time it names there is a token, and over time no more than the rate are taken', () => {
  const rates = fc.record({
    count: fc.integer({ min: 1, max: 1_000 }),
    everyMs: fc.integer({ min: 1_000, max: 1e9 }),
  })
  fc.assert(
    fc.property(rates, fc.array(fc.integer({ min: 0, max: 100_000 }), { maxLength: 200 }), (rate, gaps) => {
      const bucket = new Bucket()
      let now = 1_700_000_000_000
      let taken = 0
      const start = now
      for (const gap of gaps) {
        now += gap
        const wait = bucket.take(now, rate)
        if (wait === 0) taken++
        else assert.equal(bucket.readyIn((now += wait), rate), 0)
      }
      assert(taken <= rate.count + ((now - start) * rate.count) / rate.everyMs + 1e-6)
    }),
  )
})
