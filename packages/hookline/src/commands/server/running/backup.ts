// `server backup|restore`: all persistent data into one file, and back.
import { lstatSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Answer, cannot, done, wrong } from '../../../control/failure.ts'
import { type Home } from '../../../home/home.ts'
import { type FailureReason, StoreFailure } from '../../../store/failure.ts'
import { isCode, messageOf, pathOf } from '../../../failure/thrown.ts'
import { hintForDisk, STORE_HINTS } from '../../diskfailure.ts'
import { STAGING, stagingIn } from '../backup/contents.ts'
import {
  inTheWay,
  makeAside,
  moveAside,
  moveIn,
  sweepStaging,
  type Unpacked,
  unpackBackup,
} from '../backup/restore.ts'
import { Compressed } from '../backup/tar.ts'
import type { BackupRestored } from '../views.ts'

export function isThere(file: string): boolean {
  return lstatSync(file, { throwIfNoEntry: false }) !== undefined
}

export function thereAlready(file: string) {
  return wrong('already_exists', `${file} already exists`, 'name a file that does not exist yet')
}

export function hintFor(error: unknown): string {
  if (!(error instanceof StoreFailure) || OF_THE_FILE.has(error.reason))
    return 'name a file where there is room and the user who runs the server may write'
  return error.reason === 'job' ? 'when that is mended, run it again' : STORE_HINTS[error.reason]
}

/** Why the backup rather than the database could not be written. */
const OF_THE_FILE: ReadonlySet<FailureReason> = new Set(['full', 'denied', 'obstructed'])

export function restoreInto(home: Home, file: string, isForced: boolean): Answer<BackupRestored> {
  const folder = join(home.folder, `${STAGING}${process.pid}`)
  // As a restore before this one has left the home.
  let isHalfway = stagingIn(home).length > 0
  try {
    const unpacked = unlessRefused(file, () => {
      sweepStaging(home)
      return unpackBackup(home, file, folder)
    })
    if (!unpacked.ok) return unpacked
    const present = inTheWay(home, unpacked.output.dataDir)
    if (present.length > 0 && !isForced)
      return wrong(
        'already_exists',
        `there are already files here: ${present.join(', ')}`,
        'with --force it is moved aside; or set HOOKLINE_HOME to another folder',
      )
    const aside = unlessRefused(file, () => (present.length > 0 ? makeAside(home, new Date()) : null))
    if (!aside.ok) return aside
    const failure = putBack(home, unpacked.output, present, aside.output)
    isHalfway = failure !== undefined
    if (failure) return failure
    const { made_at, server: name, schema } = unpacked.output.manifest
    return done({ file, made_at, server: name, schema, moved_to: aside.output })
  } finally {
    // While it is there, no server starts.
    if (!isHalfway) rmSync(folder, { recursive: true, force: true })
  }
}

/** For what changes nothing that is in use. */
function unlessRefused<T>(file: string, work: () => T): Answer<T> {
  try {
    return done(work())
  } catch (error) {
    return cannot(
      'setup',
      `${file} was not restored, and nothing has changed: ${messageOf(error)}`,
      hintForBackup(error, file),
    )
  }
}

function hintForBackup(error: unknown, file: string): string {
  if (error instanceof Compressed) return 'decompress it first, for example with gunzip, and name the result'
  if (isCode(error, 'EISDIR') || pathOf(error) === file)
    return 'name a file that you may read, and that hookline server backup has written'
  // EEXIST: two of its entries have one name.
  const isOfBackup = error instanceof StoreFailure ? error.reason !== 'taken' : isCode(error, 'EEXIST')
  const hint = isOfBackup ? undefined : hintForDisk(error)
  return hint ?? 'use another backup, or see: hookline explain server restore'
}

/** Undefined if all went well. `aside`: where what is in the way goes. */
function putBack(home: Home, unpacked: Unpacked, present: readonly string[], aside: string | null) {
  try {
    if (aside !== null) moveAside(home, present, aside)
    moveIn(home, unpacked)
    return undefined
  } catch (error) {
    const where = aside === null ? '' : `; what was there is in ${aside}`
    return cannot(
      'setup',
      `the restore stopped in the middle: ${messageOf(error)}${where}`,
      'run it again with --force',
    )
  }
}
