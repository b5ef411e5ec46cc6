import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newFolder } from '../../test/folder.ts'
import { openDatabase } from './database.ts'

// https://www.sqlite.org/pragma.html#pragma_synchronous: in WAL mode only FULL (2) syncs before COMMIT returns.
test('a commit is on disk when it returns: a write-ahead log, and synchronous FULL', () => {
  using folder = newFolder()
  const opened = openDatabase(folder.path)
  assert.equal(opened.db.prepare('PRAGMA journal_mode').get()?.['journal_mode'], 'wal')
  assert.equal(opened.db.prepare('PRAGMA synchronous').get()?.['synchronous'], 2)
  opened.close()
})
