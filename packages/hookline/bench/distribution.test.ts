import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Distribution } from './distribution.ts'

test('percentiles are within 2 % of what was added', () => {
  const distribution = new Distribution()
  for (let each = 1; each <= 1000; each++) distribution.add(each)
  for (const percent of [1, 50, 90, 99, 100]) {
    const exact = percent * 10
    const told = distribution.percentile(percent)
    assert.ok(Math.abs(told - exact) <= exact * 0.02, `p${percent}: ${told}, not ${exact}`)
  }
})

test('many at once weigh as many', () => {
  const distribution = new Distribution()
  distribution.add(1, 98)
  distribution.add(100, 2)
  assert.ok(distribution.percentile(98) < 1.02)
  assert.ok(distribution.percentile(99) > 98)
})

test('nothing, less than a microsecond and more than 17 s have a place as well', () => {
  const distribution = new Distribution()
  assert.equal(distribution.percentile(50), 0)
  distribution.add(0)
  assert.ok(distribution.percentile(50) < 0.0011)
  distribution.add(1e9, 10)
  assert.ok(distribution.percentile(99) > 16_000)
})
