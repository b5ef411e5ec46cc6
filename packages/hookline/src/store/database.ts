// The SQLite file: opened or created, locked for this process, checked, migrated to this version.
import { chmodSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { makeFolder } from '../home/folders.ts'
import { check, isCheckedFirst, sizeOf } from './check.ts'
import { StoreFailure } from './failure.ts'
import { makePrivate, takeLock } from './lock.ts'
import { migrations } from './schema.ts'

export interface OpenDatabase {
  readonly db: DatabaseSync
  /** Whether it was found sound before it was opened; a large one is checked afterwards, as it takes long. */
  readonly isChecked: boolean
  /** Throws when the file or its WAL is no longer the one that was opened: what is written then is lost when this process ends. */
  expectInPlace(): void
  /** Checkpoints the WAL as far as readers allow. False when the disk refuses. */
  checkpoint(): boolean
  /** Checkpoints and truncates the whole WAL. False while somebody reads, and on an error. */
  truncateWal(): boolean
  /** Closing the last connection checkpoints the WAL; then the folder is free. */
  close(): void
}

/** Throws what `failureOf` can tell the reason of. */
export function openDatabase(folder: string, maxPages?: number): OpenDatabase {
  makeFolder(folder)
  chmodSync(folder, 0o700)
  const lock = claim(folder)
  try {
    const file = join(folder, 'hookline.db')
    expectPresent(file)
    makePrivate(file)
    const isChecked = isCheckedFirst(file)
    // Reads only: what is damaged stays as it was found. Open until the other has read the WAL, so that it is read once.
    using _reader = isChecked ? check(file) : undefined
    const db = new DatabaseSync(file, { timeout: BUSY_MS, defensive: true })
    // secure_delete: a redacted text leaves no bytes in the page that held it.
    // FULL: COMMIT returns after the fsync of the WAL, which is what an acknowledgement promises.
    db.exec(`
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = FULL;
      PRAGMA wal_autocheckpoint = 4000;
      PRAGMA journal_size_limit = 67108864;
      PRAGMA trusted_schema = OFF;
      PRAGMA secure_delete = FAST;
    `)
    migrate(db, file)
    // A file that it could not open for writing SQLite opens for reading. Changes nothing, but fails then.
    db.exec('DELETE FROM records WHERE 0')
    if (maxPages !== undefined) db.exec(`PRAGMA max_page_count = ${Math.trunc(maxPages)}`)
    const inodes = inodesOf(file)
    return {
      db,
      isChecked,
      expectInPlace: () => {
        if (inodesOf(file) !== inodes) throw moved(file)
      },
      checkpoint: () => checkpoint(db),
      truncateWal: () => truncateWal(db),
      close: () => {
        db.close()
        lock.release()
      },
    }
  } catch (error) {
    lock.abandon()
    throw error
  }
}

/** Throws, naming its pid, while a server uses `folder`. */
export function expectUnused(folder: string): void {
  if (existsSync(folder)) claim(folder).abandon()
}

/** The schema version of a complete file that no server uses. Throws if it is damaged, or newer than this version. */
export function checkFile(file: string): number {
  using db = check(file)
  return versionOf(db, file)
}

/** SQLite would drop the WAL of a file that is missing or empty, with all that was written last, and begin a new one. */
export function expectPresent(file: string): void {
  const wal = `${file}-wal`
  if (sizeOf(file) > 0 || sizeOf(wal) === 0) return
  const what = existsSync(file) ? 'empty' : 'missing'
  throw new StoreFailure('lost', `${file} is ${what}, but ${wal} beside it has ${sizeOf(wal)} bytes`)
}

// lock.pid serves the error message; one that is still there shows that the last server did not close.
function claim(folder: string): { release(): void; abandon(): void } {
  const pidFile = join(folder, 'lock.pid')
  const lock = takeLock(join(folder, 'lock'), 0)
  if (!lock) {
    throw new StoreFailure(
      'taken',
      `another server uses ${folder} (pid ${readPid(pidFile)}): it may be stopping, which takes at most about ten seconds`,
    )
  }
  const wasLeftBehind = existsSync(pidFile)
  writeFileSync(pidFile, `${process.pid}\n`, { mode: 0o600 })
  return {
    release: () => {
      rmSync(pidFile, { force: true })
      lock.release()
    },
    abandon: () => {
      if (!wasLeftBehind) rmSync(pidFile, { force: true })
      lock.release()
    },
  }
}

function inodesOf(file: string): string {
  return [file, `${file}-wal`].map((each) => statSync(each, { throwIfNoEntry: false })?.ino).join(' ')
}

function moved(file: string): StoreFailure {
  const text = `${file}, or its -wal, was moved or replaced while the server had it open: put it back, or restart the server`
  return new StoreFailure('broken', text)
}

function checkpoint(db: DatabaseSync): boolean {
  try {
    db.exec('PRAGMA wal_checkpoint(PASSIVE)')
    return true
  } catch {
    return false
  }
}

function truncateWal(db: DatabaseSync): boolean {
  // Do not wait for a reader, such as a backup.
  db.exec('PRAGMA busy_timeout = 0')
  try {
    return db.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()?.['busy'] === 0
  } catch {
    return false
  } finally {
    db.exec(`PRAGMA busy_timeout = ${BUSY_MS}`)
  }
}

const BUSY_MS = 5_000

function migrate(db: DatabaseSync, file: string): void {
  const version = versionOf(db, file)
  if (version === migrations.length) return
  db.exec('BEGIN IMMEDIATE')
  try {
    for (const migration of migrations.slice(version)) db.exec(migration)
    db.exec(`PRAGMA user_version = ${migrations.length}`)
    db.exec('COMMIT')
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK')
    throw error
  }
}

function versionOf(db: DatabaseSync, file: string): number {
  const version = Number(db.prepare('PRAGMA user_version').get()?.['user_version'])
  if (version <= migrations.length) return version
  throw new StoreFailure(
    'newer',
    `${file} was written by a newer hookline (schema ${version}, this one knows ${migrations.length})`,
  )
}

function readPid(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim() || 'unknown'
  } catch {
    return 'unknown'
  }
}
