import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ratiosOf } from './ratios.ts'
import { tableOf } from './table.ts'

test('ratios are taken within a round, and the median is of them', () => {
  const [ratio] = ratiosOf([
    { mine: { deliveries_per_s: 300 }, theirs: { deliveries_per_s: 100 } },
    { mine: { deliveries_per_s: 20 }, theirs: { deliveries_per_s: 10 } },
    { mine: { deliveries_per_s: 8000 }, theirs: { deliveries_per_s: 1000 } },
  ])
  assert.deepEqual(ratio, { key: 'deliveries_per_s', min: 2, median: 3, max: 8, verdict: 'better' })
})

test('the median of an even number of rounds lies between the middle two', () => {
  const rounds = [1, 2, 4, 8].map((mine) => ({ mine: { p50_ms: mine }, theirs: { p50_ms: 1 } }))
  assert.equal(ratiosOf(rounds)[0]?.median, 3)
  assert.equal(ratiosOf(rounds.slice(2))[0]?.median, 6)
})

test('it is better or worse only where three rounds agree, by what more of it means', () => {
  const verdict = (key: string, ...ratios: number[]) =>
    ratiosOf(ratios.map((ratio) => ({ mine: { [key]: ratio }, theirs: { [key]: 1 } })))[0]?.verdict
  assert.equal(verdict('deliveries_per_s', 0.5, 0.9, 0.8), 'worse')
  assert.equal(verdict('p50_ms', 0.5, 0.9, 0.8), 'better')
  assert.equal(verdict('p50_ms', 1.2, 3, 2), 'worse')
  assert.equal(verdict('p50_ms', 0.9, 1.1, 0.8), 'even')
  assert.equal(verdict('p50_ms', 1.2, 1.3, 1.01), 'even')
  assert.equal(verdict('p50_ms', 1.2, 3), 'even')
})

test('what only one of the two has, or is nothing in both, has no ratio', () => {
  const mine = { p50_ms: 1, idle_cpu_percent: 0 }
  assert.deepEqual(ratiosOf([{ mine, theirs: { idle_cpu_percent: 0 } }]), [])
  assert.deepEqual(ratiosOf([]), [])
})

test('columns are as wide as their widest cell', () => {
  assert.equal(
    tableOf([
      ['a', 'bbb', 'c'],
      ['aaa', 'b'],
    ]),
    'a    bbb  c\naaa  b',
  )
})
