import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { writeWhole } from './atomic.ts'

test('a replaced file is readable only by its owner, and no temporary file remains', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hookline-atomic-'))
  const before = process.umask(0)
  try {
    writeWhole(join(folder, 'file'), 'one')
    writeWhole(join(folder, 'file'), 'two')
    assert.equal(statSync(join(folder, 'file')).mode & 0o777, 0o600)
  } finally {
    process.umask(before)
  }
  assert.equal(readFileSync(join(folder, 'file'), 'utf8'), 'two')
  assert.deepEqual(readdirSync(folder), ['file'])
  rmSync(folder, { recursive: true })
})
