import assert from 'node:assert/strict'
import { rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { newFolder } from '../../test/folder.ts'
import { findHandler, handlerSoonOf } from './find.ts'

test('the first of several handlers wins, and a link is refused', () => {
  using home = newFolder()
  const folder = home.path
  assert.deepEqual(findHandler(folder), { handler: undefined, problem: undefined, warnings: [] })
  for (const name of ['handler.js', 'handler.ts', 'handler.py']) writeFileSync(join(folder, name), '')
  const found = findHandler(folder)
  assert.equal(found.handler?.name, 'handler.py')
  assert.deepEqual(found.warnings, [
    'handler.ts is not used, because there is handler.py',
    'handler.js is not used, because there is handler.py',
  ])
  rmSync(join(folder, 'handler.py'))
  symlinkSync('/dev/null', join(folder, 'handler.py'))
  assert.match(findHandler(folder).problem ?? '', /handler\.py is not a regular file/)
})

test('a file with nearly the name of a handler is not used, and a warning says so', () => {
  using home = newFolder()
  const folder = home.path
  writeFileSync(join(folder, 'Handler.py'), '')
  writeFileSync(join(folder, 'handler_notes.md'), '')
  const warnings = [
    'Handler.py is not used: a handler must be called handler.py, handler.ts, handler.mjs, handler.js',
  ]
  assert.deepEqual(findHandler(folder), { handler: undefined, problem: undefined, warnings })
  writeFileSync(join(folder, 'handler.js'), '')
  assert.deepEqual(findHandler(folder).warnings, warnings)
})

test('an unreadable folder is a problem of its own bot only', () => {
  using home = newFolder()
  const folder = home.path
  symlinkSync('loop', join(folder, 'loop'))
  assert.match(findHandler(join(folder, 'loop')).problem ?? '', /^cannot look for a handler: ELOOP/)
})

test('a folder without a handler is read again once something in it changes', () => {
  using home = newFolder()
  const folder = home.path
  const later = Date.now() + 60_000
  assert.equal(findHandler(folder, later).handler, undefined)
  writeFileSync(join(folder, 'handler.py'), '')
  assert.equal(findHandler(folder, later).handler?.name, 'handler.py')
  rmSync(join(folder, 'handler.py'))
  assert.equal(findHandler(folder, later).handler, undefined)
  home.remove()
  assert.equal(findHandler(folder, later).handler, undefined)
})

test('all lookups of one turn share one answer, which includes a file added after the first lookup', async () => {
  using home = newFolder()
  const folder = home.path
  assert.equal((await handlerSoonOf({ folder })).handler, undefined)
  const first = handlerSoonOf({ folder })
  writeFileSync(join(folder, 'handler.py'), '')
  const second = handlerSoonOf({ folder })
  assert.equal((await first).handler?.name, 'handler.py')
  assert.equal(await second, await first)
})
