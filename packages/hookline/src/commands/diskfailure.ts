// What the disk or the database refused, and what to do about it.
import { failureOf, type FailureReason, StoreFailure } from '../store/failure.ts'
import { codeOf, pathOf } from '../failure/thrown.ts'
import { cannot } from '../control/failure.ts'

/** HOOKLINE_HOME is not a folder, or belongs to somebody else. */
export function unusable(home: string, error: unknown) {
  const { reason, message } = failureOf(error)
  if (reason === 'obstructed') {
    const path = pathOf(error) ?? home
    return cannot(
      'setup',
      `${path} is not a folder, or part of its path is a file`,
      path.startsWith(`${home}/`) ? 'move it away, then run this again' : 'set HOOKLINE_HOME to a folder',
    )
  }
  const hint = reason === 'full' ? STORE_HINTS.full : 'set HOOKLINE_HOME to a folder that you can write to'
  return cannot('setup', `cannot use ${home}: ${message}`, hint)
}

/** Undefined for an error of something else. */
export function unusableDatabase(folder: string, error: unknown) {
  if (!(error instanceof StoreFailure)) return undefined
  const text = `the database in ${folder} cannot be used: ${error.message}`
  return cannot('setup', text, STORE_HINTS[error.reason])
}

/** When the disk refused something. */
export const DISK_HINT = 'check that the disk has room and that you may write the files, then run it again'

const RESTORE = 'restore a backup: hookline server restore FILE --force; what is there now is moved aside'

/** What to do when the database fails. */
export const STORE_HINTS: Readonly<Record<FailureReason, string>> = {
  full: 'make room on the disk, then run it again',
  damaged: RESTORE,
  lost: `put hookline.db back; or ${RESTORE}; or move hookline.db-wal away to begin with an empty database`,
  locked: 'another program has it open: stop that one, then run it again',
  denied: 'the folder and everything in it must belong to the user who starts the server',
  obstructed: 'a file is in its place: move it away, or name another folder as data_dir in server.yaml',
  broken: DISK_HINT,
  taken: 'stop that server, or set HOOKLINE_HOME to another folder',
  newer: 'update hookline, or set HOOKLINE_HOME to another folder',
  stuck: 'check the disk; the server goes on by itself when it answers, then run it again',
  busy: 'run it again later',
  closed: 'run it again once the server has started',
  job: 'the server log says why',
}

/** What to do if the file system or the database refused something; undefined for other errors. */
export function hintForDisk(error: unknown): string | undefined {
  if (error instanceof StoreFailure) return error.reason === 'job' ? undefined : STORE_HINTS[error.reason]
  return DISK_HINTS.get(codeOf(error))
}

const AWAY = 'it was removed, or is a link that leads nowhere: put it back, then run it again'
const IN_PLACE = 'a file is in place of a folder: move it away, then run it again'
const DISK_HINTS: ReadonlyMap<unknown, string> = new Map([
  ...['EACCES', 'EDQUOT', 'EFBIG', 'EIO', 'ENOSPC', 'EPERM', 'EROFS'].map(
    (code) => [code, DISK_HINT] as const,
  ),
  ['ENOTDIR', IN_PLACE],
  ['EEXIST', IN_PLACE],
  ['ENOENT', AWAY],
  ['ELOOP', AWAY],
  ['ENAMETOOLONG', 'use a shorter name'],
])
