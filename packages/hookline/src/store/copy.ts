// A copy of the database as it is at one moment, made while a server goes on writing.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { checkFile } from './database.ts'

/**
 * Writes the database of `folder` to `file`, which must not be there, and checks it. Gives its schema version; undefined where there
 * is none. Call it in a process of its own: it takes as long as the disk does. Nobody waits for it: in WAL mode writers do not wait
 * for readers. The log grows meanwhile. https://www.sqlite.org/wal.html#concurrency
 */
export function copyDatabase(folder: string, file: string): number | undefined {
  const from = join(folder, 'hookline.db')
  if (!existsSync(from)) return undefined
  using db = new DatabaseSync(from, { readOnly: true, timeout: 5_000 })
  // One read transaction: rows as they were at one moment. What was deleted is not in the copy.
  db.prepare('VACUUM INTO ?').run(file)
  return checkFile(file)
}
