// A copy of the database as it is at one moment, made while a server goes on writing.
import { accessSync, constants, existsSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { checkFile, expectPresent } from './database.ts'

/**
 * Writes the database of `folder` to `file`, which must not exist, and checks it. Returns its schema version; undefined where there
 * is no database. Call it in a process of its own: it blocks for as long as the disk takes. In WAL mode writers do not wait for it,
 * but the WAL grows meanwhile. https://www.sqlite.org/wal.html#concurrency
 */
export function copyDatabase(folder: string, file: string): number | undefined {
  const from = join(folder, 'hookline.db')
  expectPresent(from)
  if (!existsSync(from)) return undefined
  using db = new DatabaseSync(readOnlyAt(folder, from), { readOnly: true, timeout: 5_000 })
  // One read transaction: rows as they were at one moment. What was deleted is not in the copy.
  db.prepare('VACUUM INTO ?').run(file)
  return checkFile(file)
}

/**
 * Even a reader of a WAL database writes files beside it, unless it is opened as immutable: done where nobody can change it, as on a
 * read-only disk, and where no WAL was left behind, which would have to be read first. https://www.sqlite.org/wal.html#readonly
 */
export function readOnlyAt(folder: string, file: string): string | URL {
  if (existsSync(`${file}-wal`) || isWritable(folder)) return file
  const url = pathToFileURL(file)
  url.searchParams.set('immutable', '1')
  return url
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK)
    return true
  } catch {
    return false
  }
}
