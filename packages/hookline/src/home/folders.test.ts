import assert from 'node:assert/strict'
import { statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { newFolder } from '../../test/folder.ts'
import { makeFolder } from './folders.ts'

test('a folder is created with its parents, once, and only the owner can read them', () => {
  using root = newFolder()
  const deep = join(root.path, 'a', 'b')
  makeFolder(deep)
  makeFolder(deep)
  for (const path of [deep, join(root.path, 'a')]) assert.equal(statSync(path).mode & 0o777, 0o700)
  symlinkSync(deep, join(root.path, 'link'))
  makeFolder(join(root.path, 'link'))
  makeFolder(join(root.path, 'link', 'c'))
  assert.ok(statSync(join(deep, 'c')).isDirectory())
})

test('it throws where none can be created', () => {
  using root = newFolder()
  const file = join(root.path, 'file')
  writeFileSync(file, '')
  assert.throws(() => makeFolder(file), { code: 'EEXIST' })
  assert.throws(() => makeFolder(join(file, 'a', 'b')), { code: 'ENOTDIR' })
  if (process.platform === 'linux') assert.throws(() => makeFolder('/proc/hookline/a'), { code: 'ENOENT' })
})
