// What a backup contains of a home folder: everything except the files of a running server. The database is copied
// separately.
import {
  closeSync,
  existsSync,
  lstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  realpathSync,
  type Stats,
  statSync,
} from 'node:fs'
import { basename, dirname, join, relative, sep } from 'node:path'
import type { Home } from '../../../home/home.ts'
import { isCode } from '../../../failure/thrown.ts'
import { MANIFEST, SUMS } from './archive.ts'
import type { TarEntry } from './tar.ts'

/** Name prefix of a running restore's folders. */
export const STAGING = '.restore-'
/** Name suffix of a running backup's folders, before the random characters that mkdtemp adds. */
export const SCRATCH = '.partial-'
const RANDOM_CHARS = 6
export const DATABASE = 'data/hookline.db'

export interface Found {
  readonly entry: TarEntry
  readonly path: string
}

/**
 * Folders (each before its contents) and files first, then links, so that nothing is written through a link. What the
 * server itself reads through a link, such as a checkout that is linked in as `bots`, is contained as if it were here.
 */
export function contentsOf(home: Home, dataDir: string): readonly Found[] {
  const found = namesIn(home, dataDir).flatMap((name) => {
    const path = join(home.folder, name)
    const isRead = path === home.bots || path === home.config
    return look(home.folder, name, dataDir, isRead ? statSync(path, { throwIfNoEntry: false }) : undefined)
  })
  return [
    ...found.filter(({ entry }) => entry.type !== 'link'),
    ...found.filter(({ entry }) => entry.type === 'link'),
  ]
}

/** The top-level names in the home folder that are backed up. */
export function namesIn(home: Home, dataDir: string): readonly string[] {
  const { botsLock, trash, socket, pidFile, logFile, data } = home
  const passing = [
    botsLock,
    // While it is held.
    `${botsLock}-journal`,
    socket,
    pidFile,
    data,
    dataDir,
    trash,
    // Of a backup that was unpacked here: this one has its own.
    join(home.folder, MANIFEST),
    join(home.folder, SUMS),
  ]
  return readdirSync(home.folder)
    .filter((name) => {
      const path = join(home.folder, name)
      // The log is rotated, too: server.log.1, server.log.2.gz
      const isPassing = name.startsWith(STAGING) || path.startsWith(logFile) || passing.includes(path)
      return !isPassing && !isOfDatabase(path, dataDir)
    })
    .toSorted()
}

/** The database's folder, by a path through the home folder if it is in it: settings may name it past a link. */
export function spelled({ folder }: Home, dataDir: string): string {
  if (!existsSync(dataDir)) return dataDir
  const inside = relative(realpathSync(folder), realpathSync(dataDir))
  return inside.split(sep)[0] === '..' ? dataDir : join(folder, inside)
}

/** Folders of restores that are running or were interrupted: the home is incomplete. */
export function stagingIn({ folder }: Home): readonly string[] {
  return readdirSync(folder)
    .filter((name) => name.startsWith(STAGING))
    .map((name) => join(folder, name))
}

/** The database's folder may be the home itself, any folder in it, or one shared with other files. */
export function isOfDatabase(path: string, dataDir: string): boolean {
  return dirname(path) === dataDir && OF_DATABASE.test(basename(path))
}
const OF_DATABASE = /^(?:hookline\.db(?:-wal|-shm|-journal|\.partial)?|lock(?:-journal|\.pid)?)$/

/** Whether it is the scratch folder of a backup. */
export function isScratch(path: string): boolean {
  return path.slice(0, -RANDOM_CHARS).endsWith(SCRATCH)
}

/** An entry and, for a folder, everything below. Files that vanish meanwhile are skipped, as are sockets and the like. */
function look(root: string, name: string, dataDir: string, linked?: Stats): readonly Found[] {
  const found = unlessGone(() => lookAt(root, name, dataDir, linked))
  // What Node makes of bytes that are not UTF-8 is the name of no file.
  if (found === undefined && name.includes('\ufffd'))
    throw new Error(`the name of ${join(root, name)} is not UTF-8: rename it`)
  return found ?? []
}

/** Undefined if the file or folder that it reads has vanished: bots are edited and deleted while a server is backed up. */
export function unlessGone<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined
    throw error
  }
}

function lookAt(root: string, name: string, dataDir: string, linked?: Stats): readonly Found[] {
  const path = join(root, name)
  if (isOfDatabase(path, dataDir)) return []
  const stat = linked ?? lstatSync(path)
  const facts = { name, mode: stat.mode & 0o777, size: 0, modifiedAt: stat.mtimeMs }
  if (stat.isSymbolicLink()) return [{ path, entry: { ...facts, type: 'link', target: readlinkSync(path) } }]
  if (stat.isDirectory()) {
    // Of this backup, or of one that was killed.
    if (isScratch(path)) return []
    const below = readdirSync(path).toSorted()
    return [
      { path, entry: { ...facts, type: 'folder' } },
      ...below.flatMap((each) => look(root, `${name}/${each}`, dataDir)),
    ]
  }
  if (!stat.isFile() || isBackup(path, stat.size)) return []
  return [{ path, entry: { ...facts, type: 'file', size: stat.size } }]
}

/** An earlier backup in the home folder: otherwise each would contain all before it. */
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
