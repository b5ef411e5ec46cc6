import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { findHandlerSoon } from './find.ts'

test('all who ask in one turn get one answer, which knows of a file that came after the first of them asked', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'hookline-find-'))
  assert.equal((await findHandlerSoon(folder)).handler, undefined)
  const first = findHandlerSoon(folder)
  writeFileSync(join(folder, 'handler.py'), '')
  const second = findHandlerSoon(folder)
  assert.equal((await first).handler?.name, 'handler.py')
  assert.equal(await second, await first)
  await rm(folder, { recursive: true })
})
