// Fills a folder. If it has files already, the tool fills a staging folder beside it, and new files are copied over.
import { constants, existsSync } from 'node:fs'
import { chmod, copyFile, cp, lstat, mkdir, readdir, rename, rm, rmdir, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { cannot, done, failed, wrong, type Answer } from '../failure.ts'
import { compare, listFiles, type Compared } from './compare.ts'
import { codeOf, messageOf } from '../thrown.ts'

export interface Place {
  readonly folder: string
  /** The staging folder, if the folder has files. */
  readonly staging: string | null
  /** Replaces files that differ; else they are left and reported. */
  readonly overwrite: boolean
}

/** Runs the tool; resolves with what it printed. */
type Run = () => Promise<Answer<string>>

/** What became of each file. Names are relative to `out`. */
export interface Report {
  readonly out: string
  readonly written_count: number
  readonly written: readonly string[]
  /** Files that differ and were left alone. */
  readonly kept: readonly string[]
  readonly unchanged: readonly string[]
  /** What the tool printed. */
  readonly output: string
}

/**
 * Runs the tool, once. If it fails or something is in the way, the folder is left as it was: half a scaffold would look
 * like a whole one.
 */
export async function fill(place: Place, run: Run): Promise<Answer<Report>> {
  const { folder, staging } = place
  try {
    return await (staging === null ? fillNew(folder, run) : fillStaged(place, staging, run))
  } catch (error) {
    return cannot('setup', `cannot fill ${folder}: ${messageOf(error)}`, 'fix that, then run it again')
  }
}

async function fillStaged(place: Place, staging: string, run: Run): Promise<Answer<Report>> {
  const made = await makeStaging(staging)
  if (!made.ok) return made
  try {
    const inside = join(staging, basename(place.folder))
    const ran = await runFor(inside, run)
    return ran.ok ? await merge(place, inside, ran.output) : ran
  } finally {
    await remove(staging)
  }
}

/**
 * The tool writes into the folder itself. A marker folder stands beside it meanwhile: if the process is killed, or
 * cannot clean up, it stays and tells that the scaffold may be incomplete.
 */
async function fillNew(folder: string, run: Run): Promise<Answer<Report>> {
  const mark = stagingFor(folder)
  const above = dirname(folder)
  // If it cannot be made, the tool may still be able to.
  const first = await mkdir(above, { recursive: true }).catch(() => undefined)
  const marked = await makeMark(mark)
  if (!marked.ok) return marked
  const filled = await fillMarked(folder, run)
  await rm(mark, REMOVE)
  if (!filled.ok && first !== undefined) await removeEmpty(above, first)
  return filled
}

/** Removes the folders from `last` up to `first`, as far as nobody else uses them by now. */
async function removeEmpty(last: string, first: string): Promise<void> {
  for (let at = last; at.length >= first.length; at = dirname(at)) await rmdir(at).catch(() => undefined)
}

async function fillMarked(folder: string, run: Run): Promise<Answer<Report>> {
  const wasThere = existsSync(folder)
  // Somebody may have filled it since the plan was made: the cleanup after a failure would delete their files.
  if (wasThere && (await readdir(folder)).length > 0)
    return wrong(
      'conflict',
      `${folder} was empty, but has files now`,
      'run it again: files that exist are kept',
    )
  const ran = await runFor(folder, run)
  if (!ran.ok) {
    await empty(folder, wasThere)
    return ran
  }
  const written = await listFiles(folder)
  return done(reportOf(folder, { written, output: ran.output }))
}

/** Also fails a tool that left something other than a folder. */
async function runFor(folder: string, run: Run): Promise<Answer<string>> {
  const ran = await run()
  const left = await stat(folder).catch(() => undefined)
  if (!ran.ok || !left || left.isDirectory()) return ran
  return failed({
    code: 4,
    message: `the tool created a file ${folder}, not a folder`,
    remediation: 'use one that fills the folder {path}',
    kind: 'scaffolder',
  })
}

/** If no marker can be created beside the folder, the folder is filled anyway. */
async function makeMark(mark: string): Promise<Answer<undefined>> {
  const made = await makeStaging(mark)
  return made.ok || made.error.kind === 'conflict' ? made : done(undefined)
}

/** Removes what a failed tool left in a folder that was empty or did not exist. */
async function empty(folder: string, wasThere: boolean): Promise<void> {
  const names = wasThere ? await readdir(folder).catch(() => undefined) : undefined
  for (const name of names ?? []) await remove(join(folder, name))
  if (names) return
  await remove(folder)
  // The tool removed it.
  if (wasThere) await mkdir(folder)
}

/** `~/widget` → `~/.widget.scaffold`: on the same disk, and predictable, so that a plan can show it. */
export function stagingFor(folder: string): string {
  return join(dirname(folder), `.${basename(folder)}.scaffold`)
}

/** A process that was just killed may still be writing its last file. */
const REMOVE = { recursive: true, force: true, maxRetries: 5 } as const

/** Also what has folders without write permission, as Go's modules. */
export async function remove(path: string): Promise<void> {
  try {
    await rm(path, REMOVE)
  } catch (error) {
    if (codeOf(error) !== 'EACCES') throw error
    await unlock(path)
    await rm(path, REMOVE)
  }
}

async function unlock(folder: string): Promise<void> {
  await chmod(folder, 0o700)
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) await unlock(join(folder, entry.name))
  }
}

/** Fails if it exists: a folder that somebody else made must not be removed. */
async function makeStaging(staging: string): Promise<Answer<undefined>> {
  try {
    await mkdir(staging)
    return done(undefined)
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return cutOff(staging)
    return cannot('setup', `cannot make ${staging}: ${messageOf(error)}`, 'check its permissions')
  }
}

/** The folder is there while a run goes on, and stays behind if it is killed. */
export function cutOff(staging: string) {
  return wrong(
    'conflict',
    `${staging} exists: another run is in progress, or one was interrupted and left an incomplete scaffold`,
    'if none is running, remove it and the incomplete scaffold, then run this again',
  )
}

async function merge(place: Place, made: string, output: string): Promise<Answer<Report>> {
  const { folder, overwrite } = place
  const compared = await compare(made, folder)
  if (!compared.ok) return compared
  const named = (state: Compared['state']): readonly string[] =>
    compared.output.filter((each) => each.state === state).map(({ file }) => file)
  const written = [...named('new'), ...(overwrite ? named('changed') : [])].toSorted()
  try {
    await putAll(written, made, folder)
  } catch (error) {
    return cannot('setup', `cannot write: ${messageOf(error)}`, 'fix that, then run it again')
  }
  const kept = overwrite ? [] : named('changed')
  return done(reportOf(folder, { written, kept, unchanged: named('same'), output }))
}

/** All are copied beside their places first: if the disk is full, nothing is replaced and no part of them stays. */
async function putAll(files: readonly string[], made: string, folder: string): Promise<void> {
  const copies: { readonly copy: string; readonly to: string }[] = []
  const added: string[] = []
  try {
    for (const file of files) {
      const to = join(folder, file)
      const copy = join(dirname(to), `.${copies.length}.scaffold`)
      const first = await mkdir(dirname(to), { recursive: true })
      if (first !== undefined) added.push(first)
      await copyNew(join(made, file), copy)
      copies.push({ copy, to })
    }
    // Replaces a link rather than writing through it.
    for (const { copy, to } of copies) await rename(copy, to)
  } catch (error) {
    for (const path of [...copies.map(({ copy }) => copy), ...added]) await rm(path, REMOVE)
    throw error
  }
}

async function copyNew(from: string, to: string): Promise<void> {
  if ((await lstat(from)).isSymbolicLink()) await cp(from, to, { verbatimSymlinks: true, errorOnExist: true })
  else await copyFile(from, to, constants.COPYFILE_EXCL)
}

function reportOf(out: string, facts: Partial<Report> & Pick<Report, 'written' | 'output'>): Report {
  return { out, written_count: facts.written.length, kept: [], unchanged: [], ...facts }
}
