// What of a home folder lasts: everything but what belongs to a running server. The database is copied by itself.
import { closeSync, lstatSync, openSync, readdirSync, readlinkSync, readSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Home } from '../../home.ts'
import { MANIFEST } from './archive.ts'
import type { TarEntry } from './tar.ts'

/** Folders of a restore under way begin so. */
export const STAGING = '.restore-'
/** Folders of a backup under way end so, and six characters of chance. */
export const SCRATCH = '.partial-'
export const DATABASE = 'data/hookline.db'

export interface Found {
  readonly entry: TarEntry
  readonly path: string
}

/** First the folders, each before what is in it, and files; then the links, so that nothing is written through one. */
export function contentsOf(home: Home, dataDir: string): readonly Found[] {
  const found = namesIn(home, dataDir).flatMap((name) => look(home.folder, name, dataDir))
  return [
    ...found.filter(({ entry }) => entry.type !== 'link'),
    ...found.filter(({ entry }) => entry.type === 'link'),
  ]
}

/** Names at the top of the home folder. */
export function namesIn(home: Home, dataDir: string): readonly string[] {
  const { botsLock, socket, pidFile, logFile, data } = home
  const passing = [
    botsLock,
    socket,
    pidFile,
    logFile,
    `${logFile}.1`,
    data,
    dataDir,
    join(home.folder, 'trash'),
  ]
  return readdirSync(home.folder)
    .filter((name) => {
      const path = join(home.folder, name)
      return !name.startsWith(STAGING) && !passing.includes(path) && !isOfDatabase(path, dataDir)
    })
    .toSorted()
}

/** What restores leave that are under way, or were stopped in the middle: the home is not whole. */
export function stagingIn({ folder }: Home): readonly string[] {
  return readdirSync(folder)
    .filter((name) => name.startsWith(STAGING))
    .map((name) => join(folder, name))
}

/** Its folder may be the home itself, lie anywhere in it, or hold what is not ours. */
export function isOfDatabase(path: string, dataDir: string): boolean {
  return dirname(path) === dataDir && OF_DATABASE.test(basename(path))
}
const OF_DATABASE = /^(?:hookline\.db(?:-wal|-shm|-journal|\.partial)?|lock(?:-journal|\.pid)?)$/

/** An entry and, of a folder, all below it. What is gone meanwhile is not there; sockets and their like are nothing to keep. */
function look(root: string, name: string, dataDir: string): readonly Found[] {
  const path = join(root, name)
  if (isOfDatabase(path, dataDir)) return []
  const stat = lstatSync(path, { throwIfNoEntry: false })
  if (stat === undefined) return []
  const facts = { name, mode: stat.mode & 0o777, size: 0, modifiedAt: stat.mtimeMs }
  if (stat.isSymbolicLink()) return [{ path, entry: { ...facts, type: 'link', target: readlinkSync(path) } }]
  if (stat.isDirectory()) {
    // Of this backup, or of one that was killed.
    if (path.slice(0, -6).endsWith(SCRATCH)) return []
    const below = readdirSync(path).toSorted()
    return [
      { path, entry: { ...facts, type: 'folder' } },
      ...below.flatMap((each) => look(root, `${name}/${each}`, dataDir)),
    ]
  }
  if (!stat.isFile() || isBackup(path, stat.size)) return []
  return [{ path, entry: { ...facts, type: 'file', size: stat.size } }]
}

/** An earlier backup that lies in the home folder: each would hold all before it. */
function isBackup(path: string, size: number): boolean {
  if (size < 1024) return false
  const head = Buffer.alloc(MANIFEST.length)
  const file = openSync(path, 'r')
  try {
    readSync(file, head)
  } finally {
    closeSync(file)
  }
  return head.toString('latin1') === MANIFEST
}
