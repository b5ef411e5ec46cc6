// `server backup|restore`: all persistent data into one file, and back.
import { existsSync, lstatSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { connectControl } from '../../control/client.ts'
import { type Answer, cannot, done, wrong } from '../../control/failure.ts'
import type { BackupMade, BackupRestored } from '../../control/outputs/server.ts'
import { ensureHome, type Home } from '../../home.ts'
import { type FailureReason, StoreFailure } from '../../store/failure.ts'
import { isCode, messageOf, pathOf } from '../../thrown.ts'
import { whileAlone } from '../bot/work/alone.ts'
import type { Call, Context } from '../context.ts'
import { hintForDisk, STORE_HINTS, unusable } from '../diskfailure.ts'
import type { Input } from '../oldlist.ts'
import { STAGING, stagingIn } from './backup/contents.ts'
import { expectWhole } from './backup/halfway.ts'
import { packBackup } from './backup/pack.ts'
import {
  inTheWay,
  makeAside,
  moveAside,
  moveIn,
  sweepStaging,
  type Unpacked,
  unpackBackup,
} from './backup/restore.ts'
import { Compressed } from './backup/tar.ts'

/** From a running server, includes everything acknowledged or seen in the chat before the call. */
export async function backUp(
  { home, running, known }: Context,
  { file }: Input<'server backup'>,
  { signal }: Call,
): Promise<Answer<BackupMade>> {
  // The trailing slash makes this false for a file.
  if (!existsSync(`${dirname(file)}/`))
    return cannot(
      'setup',
      `no backup was made: there is no folder ${dirname(file)}`,
      'create it first, or name another file',
    )
  if (isThere(file)) return thereAlready(file)
  if (!existsSync(home.folder))
    return wrong(
      'not_found',
      `${home.folder} does not exist: there is nothing to back up`,
      'set HOOKLINE_HOME to the right folder',
    )
  if (known.problems)
    return wrong(
      'invalid',
      'no backup was made: the settings are invalid, so they do not say where the database is',
      'fix them, then run it again',
      known.problems,
    )
  const whole = expectWhole(home)
  if (!whole.ok) return whole
  try {
    // A read is answered after everything queued for the disk before it.
    if (running) await running.store.message('')
    const server = running?.name ?? known.serverName ?? null
    const { made_at, schema } = await packBackup(
      { home, dataDir: known.dataDir ?? null, server, file },
      signal,
    )
    return done({ file, made_at, schema, bytes: statSync(file).size })
  } catch (error) {
    // Somebody else created it meanwhile.
    if (isThere(file)) return thereAlready(file)
    return cannot('setup', `no backup was made: ${messageOf(error)}`, hintFor(error))
  }
}

function isThere(file: string): boolean {
  return lstatSync(file, { throwIfNoEntry: false }) !== undefined
}

function thereAlready(file: string) {
  return wrong('already_exists', `${file} already exists`, 'name a file that does not exist yet')
}

function hintFor(error: unknown): string {
  if (!(error instanceof StoreFailure) || OF_THE_FILE.has(error.reason))
    return 'name a file where there is room and the user who runs the server may write'
  return error.reason === 'job' ? 'when that is mended, run it again' : STORE_HINTS[error.reason]
}

/** Why the backup rather than the database could not be written. */
const OF_THE_FILE: ReadonlySet<FailureReason> = new Set(['full', 'denied', 'obstructed'])

/** Into an empty home; with `--force` its contents are moved aside. */
export async function restore(
  context: Context,
  { file, force = false }: Input<'server restore'>,
): Promise<Answer<BackupRestored>> {
  const { home } = context
  const server = await connectControl(home)
  if (server.ok) {
    server.client.close()
    return cannot('setup', `a server is running in ${home.folder}`, 'stop it first: hookline server stop')
  }
  if (!existsSync(file))
    return cannot('setup', `there is no file ${file}`, 'name a file that hookline server backup has written')
  try {
    ensureHome(home)
  } catch (error) {
    return unusable(home.folder, error)
  }
  // Another restore would take the folder of this one for what an interrupted one has left.
  return whileAlone(context, () => restoreInto(home, file, force))
}

function restoreInto(home: Home, file: string, isForced: boolean): Answer<BackupRestored> {
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
