// decisions/other-receivers.md: nothing that one of the others has is missing here, and every Y names tests that exist.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { tableOf } from './docs.ts'
import { isThere } from './named.ts'

const compared = tableOf('../decisions/other-receivers', 'Capability | Hookline')
const shown = tableOf('../decisions/other-receivers', 'Capability | how')

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
