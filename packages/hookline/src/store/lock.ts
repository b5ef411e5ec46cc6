// A file lock with one holder at a time. The kernel drops it with the process; a pid in a file may belong to another process by
// now.
import { chmodSync, closeSync, existsSync, openSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { failureOf, StoreFailure } from './failure.ts'

export interface Lock {
  release(): void
}

/** Undefined when somebody else still holds it after `waitMs`. Blocks this thread meanwhile. */
export function takeLock(file: string, waitMs: number): Lock | undefined {
  makePrivate(file)
  const lock = new DatabaseSync(file, { timeout: waitMs })
  try {
    lock.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    lock.close()
    const { reason } = failureOf(error)
    if (reason === 'locked') return undefined
    if (reason === 'damaged')
      throw new StoreFailure('obstructed', `${file} is no lock of hookline, which is an empty file`)
    throw error
  }
  return { release: () => lock.close() }
}

// SQLite gives the -wal and -shm files the mode of the database itself. A file that exists is not opened here:
// POSIX drops all locks this process has on a file when any descriptor of it is closed.
export function makePrivate(file: string): void {
  if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600))
  chmodSync(file, 0o600)
}
