import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { openDatabase } from './database.ts'

// https://www.sqlite.org/pragma.html#pragma_synchronous: in WAL mode only FULL (2) syncs before COMMIT returns.
test('a commit is on disk when it returns: a write-ahead log, and synchronous FULL', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'hookline-store-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const opened = openDatabase(folder)
  assert.equal(opened.db.prepare('PRAGMA journal_mode').get()?.['journal_mode'], 'wal')
  assert.equal(opened.db.prepare('PRAGMA synchronous').get()?.['synchronous'], 2)
  opened.close()
})
