// The unit for systemd: how exposed a server is under it, and that handlers are isolated all the same.
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Home } from '../src/home/home.ts'
import { temporaryFolder } from './folder.ts'
import { NOBODY } from './nobody.ts'
import { probe } from './probes.ts'
import { cannotConfine, confining, exposure, notApplied, UNIT } from './unit.ts'

test('systemd rates the unit below 3', (t) => {
  const rated = exposure()
  if (typeof rated === 'string') return t.skip(rated)
  assert.ok(rated < 3, String(rated))
})

test('under its settings nothing gets through for an isolated handler', { skip: cannotConfine }, async () => {
  for (const file of ['handler.py', 'handler.mjs'] as const) {
    const by = (home: { folder: string }) => confining(home, NOBODY)
    assert.deepEqual(await probe({ file, handler: 'handler: {}', by, uid: NOBODY }), [])
  }
})

test('a unit that forbids namespaces would leave handlers unisolated', { skip: cannotConfine }, async (t) => {
  const unit = join(temporaryFolder(t), 'hookline.service')
  writeFileSync(unit, readFileSync(UNIT, 'utf8').replace(/(?<=RestrictNamespaces=).*/, 'cgroup'))
  const by = (home: { folder: string }) => confining(home, NOBODY, unit)
  let left: readonly string[] = []
  const look = (home: Home) => void (left = notApplied(home))
  const through = await probe({ file: 'handler.py', handler: 'handler: {}', by, uid: NOBODY, look })
  if (left.some((each) => each.startsWith('RestrictNamespaces')))
    return t.skip('the numbers of system calls are not known here')
  assert.ok(through.includes('the control socket'), String(through))
})
