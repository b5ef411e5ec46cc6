// docs/conformance.md: its rows add up to what it says above them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { tableOf } from './docs.ts'

test('the files of the suite add up to the score of each server', () => {
  const scores = tableOf('conformance', 'server').map((row) =>
    row.slice(2).map((cell) => Number(cell.replaceAll('*', ''))),
  )
  const files = tableOf('conformance', 'file')
  assert.equal(scores.length, 4)
  for (const [server, [tests = 0, passed = 0, failed = 0, skipped = 0]] of scores.entries()) {
    const counts = files.map((row) => (row[server + 2] ?? '').split('/').map(Number))
    const sum = (place: number) => counts.reduce((total, each) => total + (each[place] || 0), 0)
    assert.deepEqual([sum(0), sum(1), sum(2)], [passed, failed, skipped])
    assert.equal(passed + failed + skipped, tests)
  }
  assert.equal(
    files.reduce((total, row) => total + Number(row[1]), 0),
    scores[0]?.[0],
  )
})
