// Fills a folder. One that has files is not given to the tool: it writes into a new one beside it, and what is new is copied over.
import { constants, existsSync } from 'node:fs'
import { copyFile, cp, lstat, mkdir, readdir, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { cannot, done, failed, wrong, type Answer } from '../failure.ts'
import { compare, listFiles, type Compared } from './compare.ts'

export interface Place {
  readonly folder: string
  /** The folder beside it, where the folder has files. */
  readonly staging: string | null
  /** Files that differ are replaced; else they are left, and named. */
  readonly overwrite: boolean
}

/** What became of each file. Names are those below `out`. */
export interface Report {
  readonly out: string
  readonly written_count: number
  readonly written: readonly string[]
  /** Different, and left as they were. */
  readonly kept: readonly string[]
  readonly unchanged: readonly string[]
  /** What the tool printed. */
  readonly output: string
}

/** Runs the tool, once. When it fails, or something stands in the way, the folder is as it was: half a scaffold would look like one. */
export async function fill(place: Place, run: () => Promise<Answer<string>>): Promise<Answer<Report>> {
  const { folder, staging } = place
  if (staging === null) return await fillNew(folder, run)
  const made = await makeStaging(staging)
  if (!made.ok) return made
  try {
    const inside = join(staging, basename(folder))
    const ran = await runFor(inside, run)
    return ran.ok ? await merge(place, inside, ran.output) : ran
  } finally {
    await rm(staging, REMOVE)
  }
}

/** The tool writes into the folder itself. Beside it stands a mark meanwhile: where we are killed it stays, and says that this may be half a scaffold. */
async function fillNew(folder: string, run: () => Promise<Answer<string>>): Promise<Answer<Report>> {
  const mark = stagingFor(folder)
  const marked = await makeMark(mark)
  if (!marked.ok) return marked
  try {
    const wasThere = existsSync(folder)
    // Since the plan was made somebody may have filled it: what is taken away after a failure would be theirs.
    if (wasThere && (await readdir(folder)).length > 0)
      return wrong('conflict', `${folder} was empty, and has files now`, 'run it again: what is there stays')
    const ran = await runFor(folder, run)
    if (!ran.ok) {
      await empty(folder, wasThere)
      return ran
    }
    const written = await listFiles(folder)
    return done(reportOf(folder, { written, output: ran.output }))
  } finally {
    await rm(mark, REMOVE)
  }
}

/** The tool has failed, too, where it left something else than a folder. */
async function runFor(folder: string, run: () => Promise<Answer<string>>): Promise<Answer<string>> {
  const ran = await run()
  const left = await stat(folder).catch(() => undefined)
  if (!ran.ok || !left || left.isDirectory()) return ran
  return failed({
    code: 4,
    message: `the tool made a file of ${folder}, and no folder`,
    remediation: 'use one that fills the folder {path}',
    kind: 'scaffolder',
  })
}

/** Where nothing may be made beside the folder, it is filled all the same. */
async function makeMark(mark: string): Promise<Answer<undefined>> {
  await mkdir(dirname(mark), { recursive: true }).catch(() => undefined)
  const made = await makeStaging(mark)
  return made.ok || made.error.kind === 'conflict' ? made : done(undefined)
}

/** Takes away what a tool left in a folder that was empty, or not there. */
async function empty(folder: string, wasThere: boolean): Promise<void> {
  const names = wasThere ? await readdir(folder).catch(() => undefined) : undefined
  for (const name of names ?? []) await rm(join(folder, name), REMOVE)
  if (names) return
  await rm(folder, REMOVE)
  // The tool took it away.
  if (wasThere) await mkdir(folder)
}

/** `~/widget` → `~/.widget.scaffold`: on the same disk, and the same each time, so that a plan can show it. */
export function stagingFor(folder: string): string {
  return join(dirname(folder), `.${basename(folder)}.scaffold`)
}

/** What was just killed may still be writing its last file. */
const REMOVE = { recursive: true, force: true, maxRetries: 5 } as const

/** Made here or not at all: a folder that somebody else made is not ours to remove. */
async function makeStaging(staging: string): Promise<Answer<undefined>> {
  try {
    await mkdir(staging)
    return done(undefined)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code !== 'EEXIST')
      return cannot('setup', `cannot make ${staging}: ${message}`, 'check its permissions')
    return cutOff(staging)
  }
}

/** What a run leaves that is killed, and what is there while one goes on. */
export function cutOff(staging: string) {
  return wrong(
    'conflict',
    `${staging} is in the way: another run is under way, or was cut off and left half a scaffold`,
    'when none is, remove it and what is half made, then run this again',
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
    for (const file of written) await put(join(made, file), join(folder, file))
  } catch (error) {
    return cannot('setup', `cannot write: ${(error as Error).message}`, 'mend that, then run it again')
  }
  const kept = overwrite ? [] : named('changed')
  return done(reportOf(folder, { written, kept, unchanged: named('same'), output }))
}

async function put(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true })
  // A link is replaced, not what it leads to.
  await rm(to, { force: true })
  if ((await lstat(from)).isSymbolicLink()) await cp(from, to, { verbatimSymlinks: true, errorOnExist: true })
  else await copyFile(from, to, constants.COPYFILE_EXCL)
}

function reportOf(out: string, facts: Partial<Report> & Pick<Report, 'written' | 'output'>): Report {
  return { out, written_count: facts.written.length, kept: [], unchanged: [], ...facts }
}
