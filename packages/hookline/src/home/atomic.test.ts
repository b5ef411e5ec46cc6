import assert from 'node:assert/strict'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { newFolder } from '../../test/folder.ts'
import { writeWhole } from './atomic.ts'

test('a replaced file is readable only by its owner, and no temporary file remains', () => {
  using folder = newFolder()
  const file = join(folder.path, 'file')
  const before = process.umask(0)
  try {
    writeWhole(file, 'one')
    writeWhole(file, 'two')
    assert.equal(statSync(file).mode & 0o777, 0o600)
  } finally {
    process.umask(before)
  }
  assert.equal(readFileSync(file, 'utf8'), 'two')
  assert.deepEqual(readdirSync(folder.path), ['file'])
})
