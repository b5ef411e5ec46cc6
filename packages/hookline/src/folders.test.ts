import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { makeFolder } from './folders.ts'

test('a folder is created with its parents, once, and only the owner can read them', (t) => {
  const root = mkdtempSync(join(tmpdir(), 'hookline-folders-'))
  t.after(() => rmSync(root, { recursive: true }))
  const deep = join(root, 'a', 'b')
  makeFolder(deep)
  makeFolder(deep)
  for (const path of [deep, join(root, 'a')]) assert.equal(statSync(path).mode & 0o777, 0o700)
  symlinkSync(deep, join(root, 'link'))
  makeFolder(join(root, 'link'))
  makeFolder(join(root, 'link', 'c'))
  assert.ok(statSync(join(deep, 'c')).isDirectory())
})

test('it throws where none can be created', (t) => {
  const root = mkdtempSync(join(tmpdir(), 'hookline-folders-'))
  t.after(() => rmSync(root, { recursive: true }))
  const file = join(root, 'file')
  writeFileSync(file, '')
  assert.throws(() => makeFolder(file), { code: 'EEXIST' })
  assert.throws(() => makeFolder(join(file, 'a', 'b')), { code: 'ENOTDIR' })
  if (process.platform === 'linux') assert.throws(() => makeFolder('/proc/hookline/a'), { code: 'ENOENT' })
})
