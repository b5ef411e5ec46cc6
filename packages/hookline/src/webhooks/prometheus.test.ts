import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Counter, gauge, Histogram } from './prometheus.ts'

test('a counter has one line per combination of label values', () => {
  const counts = new Counter('made_total', 'What was made', ['kind', 'size'])
  assert.equal(counts.text(), '# HELP made_total What was made\n# TYPE made_total counter\n')
  counts.add('tea', 'cup')
  counts.add('tea', 'pot')
  counts.add('tea', 'cup')
  counts.show('tea', 'cup')
  counts.show('coffee', 'cup')
  assert.deepEqual(counts.text().split('\n').slice(2), [
    'made_total{kind="tea",size="cup"} 2',
    'made_total{kind="tea",size="pot"} 1',
    'made_total{kind="coffee",size="cup"} 0',
    '',
  ])
})

test('a time counts in every bucket up to its bound, inclusive', () => {
  const times = new Histogram('made_seconds', 'From order to table', 'status')
  times.add('200', 0.1)
  times.add('200', 0.2)
  times.add('200', 60)
  const lines = times.text().split('\n')
  assert.equal(lines[1], '# TYPE made_seconds histogram')
  const shown = (line: string) => assert(lines.includes(line), `${line} is not among\n${lines.join('\n')}`)
  shown('made_seconds_bucket{le="0.05",status="200"} 0')
  shown('made_seconds_bucket{le="0.1",status="200"} 1')
  shown('made_seconds_bucket{le="0.25",status="200"} 2')
  shown('made_seconds_bucket{le="10",status="200"} 2')
  shown('made_seconds_bucket{le="+Inf",status="200"} 3')
  shown('made_seconds_count{status="200"} 3')
  assert.match(times.text(), /^made_seconds_sum\{status="200"\} 60\.3/m)
})

test('a gauge is read on every request', () => {
  let waiting = 1
  const guests = gauge('waiting', 'Who waits', () => waiting)
  assert.match(guests.text(), /^waiting 1$/m)
  waiting = 2
  assert.match(guests.text(), /^waiting 2$/m)
})
