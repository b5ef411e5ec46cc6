// Deletes for good.
import type { DatabaseSync } from 'node:sqlite'

/**
 * Overwrites what `work` deletes, also in pages that become free: a long text has pages of its own.
 * https://www.sqlite.org/pragma.html#pragma_secure_delete
 */
export function overwriting<T>(db: DatabaseSync, work: () => T): T {
  db.exec('PRAGMA secure_delete = ON')
  try {
    return work()
  } finally {
    db.exec('PRAGMA secure_delete = FAST')
  }
}
