// Compares a tool's output with the folder: which files are new, which differ. Writes nothing.
import { lstat, readdir, readFile, readlink, realpath, stat } from 'node:fs/promises'
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { cannot, done, wrong, type Answer } from '../failure.ts'
import { codeOf, messageOf } from '../thrown.ts'

export interface Compared {
  /** Relative to the folder. */
  readonly file: string
  readonly state: 'new' | 'changed' | 'same'
}

/** A scaffold is small: a tool that makes more files than this has installed something. */
const MOST_FILES = 10_000

/** Refuses everything if one file would be written, or leads, outside the folder. */
export async function compare(made: string, folder: string): Promise<Answer<readonly Compared[]>> {
  const compared: Compared[] = []
  const refused: string[] = []
  try {
    const files = await listFiles(made, MOST_FILES)
    if (files.length > MOST_FILES)
      return wrong(
        'conflict',
        `the tool made more than ${MOST_FILES} files`,
        'use it in a folder that does not exist yet',
      )
    for (const file of files) {
      const state = (await leadsOut(made, file)) ?? (await stateOf(file, made, folder))
      if (typeof state === 'string') compared.push({ file, state })
      else refused.push(state.refused)
    }
  } catch (error) {
    return cannot('setup', `cannot read: ${messageOf(error)}`, 'fix that, then run it again')
  }
  if (!refused.length) return done(compared)
  return wrong(
    'conflict',
    `${refused[0]}; nothing was written`,
    'move that out of the way, or name another folder',
    refused.slice(1),
  )
}

/**
 * Files and links below, sorted, without folders. Stops just above `most`. `.git` is skipped: two histories cannot share
 * a folder.
 */
export async function listFiles(folder: string, most = Infinity): Promise<readonly string[]> {
  const files: string[] = []
  const folders = ['']
  for (let at = folders.pop(); at !== undefined && files.length <= most; at = folders.pop()) {
    for (const entry of await entriesOf(join(folder, at))) {
      if (entry.name === '.git') continue
      const name = join(at, entry.name)
      if (entry.isDirectory()) folders.push(name)
      else files.push(name)
    }
  }
  return files.toSorted()
}

interface Refused {
  readonly refused: string
}

/** Refuses a link made by the tool that leads out of its output, and whatever is neither file nor link. */
async function leadsOut(made: string, file: string): Promise<Refused | undefined> {
  const path = join(made, file)
  const facts = await lstat(path)
  if (facts.isFile()) return undefined
  if (!facts.isSymbolicLink()) return { refused: `${file} is neither a file nor a link` }
  const to = await readlink(path)
  const inside = !isAbsolute(to) && isInside(made, resolve(dirname(path), to))
  // By way of another link it may lead elsewhere than it reads.
  const leads = await realpath(path).catch(() => undefined)
  return inside && (leads === undefined || isInside(await realpath(made), leads))
    ? undefined
    : { refused: `${file} is a link that leads out of the folder, to ${to}` }
}

async function stateOf(file: string, made: string, folder: string): Promise<Compared['state'] | Refused> {
  const parts = file.split(sep)
  for (const index of parts.keys()) {
    const at = parts.slice(0, index + 1).join(sep)
    const path = join(folder, at)
    const facts = await lstat(path).catch(() => undefined)
    if (!facts) return 'new'
    if (facts.isSymbolicLink() && !(await isLinkInside(path, folder)))
      return { refused: `${at} is a link that leads out of the folder` }
    const isLast = at === file
    const isFolder = (await stat(path)).isDirectory()
    if (isLast && isFolder) return { refused: `${at} is a folder where the scaffold has a file` }
    if (!isLast && !isFolder) return { refused: `${at} is a file where the scaffold has a folder` }
  }
  return (await hasSameContent(join(made, file), join(folder, file))) ? 'same' : 'changed'
}

async function isLinkInside(path: string, folder: string): Promise<boolean> {
  const to = await realpath(path).catch(() => undefined)
  return to !== undefined && isInside(await realpath(folder), to)
}

async function hasSameContent(made: string, there: string): Promise<boolean> {
  const [one, other] = await Promise.all([lstat(made), lstat(there)])
  if (one.isSymbolicLink() || other.isSymbolicLink()) {
    const links = one.isSymbolicLink() && other.isSymbolicLink()
    return links && (await readlink(made)) === (await readlink(there))
  }
  if (!other.isFile() || one.size !== other.size) return false
  const [wanted, present] = await Promise.all([readFile(made), readFile(there)])
  return wanted.equals(present)
}

async function entriesOf(folder: string) {
  try {
    return await readdir(folder, { withFileTypes: true })
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return []
    throw error
  }
}

function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}
