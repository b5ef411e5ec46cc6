// docs/webhooks.md: nothing that one of the others has is missing here, and every Y names tests that exist.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { isThere } from './named.ts'

const page = readFileSync(new URL('../../../docs/webhooks.md', import.meta.url), 'utf8')
const rows = page
  .split('\n')
  .filter((line) => line.startsWith('|') && !/^\|(?:-+\|)+$/.test(line))
  .map((line) =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim()),
  )
const compared = rows.filter((row) => row.length > 3 && row[0] !== 'Capability')
const shown = rows.filter((row) => row.length === 3 && row[0] !== 'Capability')

test('no compared system has a feature that Hookline lacks', () => {
  assert.ok(compared.length > 30)
  for (const [capability = '', ours = '', ...others] of compared) {
    assert.equal(others.length, 10, capability)
    assert.ok(
      [ours, ...others].every((cell) => ['Y', 'p', '-', '?', 'n/a'].includes(cell)),
      capability,
    )
    assert.ok(
      others.some((cell) => cell === 'Y' || cell === 'p'),
      `${capability}: nobody else has it`,
    )
    assert.ok(ours === 'Y' || ours === 'p', capability)
  }
})

test('each capability says how, and names existing tests', () => {
  assert.deepEqual(
    shown.map(([capability]) => capability),
    compared.map(([capability]) => capability),
  )
  const missing = shown.flatMap(([capability = '', , tests = '']) => {
    const named = [...tests.matchAll(/`([\w./-]+)(?: › ([^`]+))?`/g)]
    assert.ok(named.length > 0, `${capability} names no test`)
    return named.flatMap(([whole, file = '', title]) =>
      isThere(join(import.meta.dirname, '..', file), title) ? [] : `${capability}: ${whole}`,
    )
  })
  assert.deepEqual(missing, [])
})
