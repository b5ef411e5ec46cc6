// docs/conformance.md: its rows add up to what it says above them.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'

const page = readFileSync(new URL('../../../docs/conformance.md', import.meta.url), 'utf8')

test('the files of the suite add up to the score of each server', () => {
  const scores = cells(/^\| (?:\*\*)?(Hookline|Ergo|InspIRCd|ngIRCd)/).map((row) => row.slice(2).map(Number))
  const files = cells(/^\| `/)
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

function cells(row: RegExp): string[][] {
  return page
    .split('\n')
    .filter((line) => row.test(line))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim().replaceAll('*', '')),
    )
}
