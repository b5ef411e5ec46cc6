// From a backup to a home folder: unpacked and checked in a staging folder, then moved into place.
import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fsyncSync,
  futimesSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeSync,
} from 'node:fs'
import { basename, dirname, join, sep } from 'node:path'
import { syncFolder } from '../../../home/atomic.ts'
import { makeFolder } from '../../../home/folders.ts'
import type { Home } from '../../../home/home.ts'
import { checkFile, expectUnused } from '../../../store/database.ts'
import { migrations } from '../../../store/schema.ts'
import { isCode } from '../../../failure/thrown.ts'
import { MANIFEST, type Manifest, readArchive } from './archive.ts'
import { DATABASE, isOfDatabase, namesIn, spelled, stagingIn } from './contents.ts'
import type { TarEntry } from './tar.ts'

/** A backup that was unpacked and verified. The caller removes `folder`. */
export interface Unpacked {
  readonly manifest: Manifest
  readonly folder: string
  /** Where its database goes. */
  readonly dataDir: string
}

/** Throws with a reason; nothing in the home has changed then. */
export function unpackBackup(home: Home, file: string, folder: string): Unpacked {
  mkdirSync(folder, { mode: 0o700 })
  let manifest: Manifest | undefined
  const links: TarEntry[] = []
  for (const { entry, content } of readArchive(file)) {
    if (manifest === undefined) manifest = readManifest(entry, content)
    else if (entry.type === 'link') links.push(entry)
    else place(join(folder, entry.name), entry, content)
  }
  if (manifest === undefined) throw new Error('it is empty')
  placeLinks(folder, links)
  const dataDir = spelled(home, manifest.data_dir ?? home.data)
  expectUnused(dataDir)
  if (manifest.schema !== null) {
    checkFile(join(folder, DATABASE))
    // What is above it in the home is moved aside before.
    if (dirname(dataDir) === home.folder || !dataDir.startsWith(home.folder + sep)) expectWritable(dataDir)
  }
  return { manifest, folder, dataDir }
}

/** Throws if the folder, or the nearest one above it that exists, cannot be written to: `data_dir` may be of another machine. */
function expectWritable(folder: string): void {
  try {
    // The trailing slash is for a folder only.
    accessSync(`${folder}/`, constants.W_OK | constants.X_OK)
  } catch (error) {
    // One that is there is a link that leads nowhere.
    if (!isCode(error, 'ENOENT') || lstatSync(folder, { throwIfNoEntry: false })) throw error
    expectWritable(dirname(folder))
  }
}

function readManifest({ name }: TarEntry, content: Iterable<Buffer>): Manifest {
  const text = Buffer.concat([...content]).toString('utf8')
  if (name !== MANIFEST) throw new Error('it is not a hookline backup')
  const { format, schema, ...rest } = JSON.parse(text) as Manifest
  if (format !== 1 || (schema ?? 0) > migrations.length)
    throw new Error('it was made by a newer hookline: update hookline')
  return { format, schema, ...rest }
}

/** Never overwrites: hookline's backups have no two entries of one name. */
function place(path: string, entry: TarEntry, content: Iterable<Buffer>): void {
  if (entry.type === 'folder') return void mkdirSync(path, { mode: 0o700 })
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const file = openSync(path, 'wx', 0o600)
  try {
    for (const chunk of content) for (let at = 0; at < chunk.length;) at += writeSync(file, chunk, at)
    // `bot why` tells by it whether a file has changed since.
    futimesSync(file, entry.modifiedAt / 1000, entry.modifiedAt / 1000)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  // Owner permissions only.
  chmodSync(path, entry.mode & 0o700)
}

/** After everything else and deepest first, whatever their order in a forged backup: nothing is written through a link. */
function placeLinks(folder: string, links: readonly TarEntry[]): void {
  const depth = ({ name }: TarEntry): number => name.split('/').length
  for (const { name, target = '' } of links.toSorted((a, b) => depth(b) - depth(a)))
    symlinkSync(target, join(folder, name))
}

/** What a restore would replace; empty folders do not count. */
export function inTheWay(home: Home, dataDir: string): readonly string[] {
  const paths = namesIn(home, dataDir)
    .map((name) => join(home.folder, name))
    .filter((path) => !isEmptyFolder(path))
  const isThere = paths.some((path) => dataDir.startsWith(path + sep))
  return isThere ? paths : [...paths, ...databaseIn(home, dataDir)]
}

/** The whole folder if it is the default one, else the files. */
function databaseIn(home: Home, dataDir: string): readonly string[] {
  const files = (existsSync(dataDir) ? readdirSync(dataDir) : [])
    .filter((name) => name.startsWith('hookline.db'))
    .map((name) => join(dataDir, name))
    .filter((path) => isOfDatabase(path, dataDir))
  return dataDir === home.data && files.length > 0 ? [dataDir] : files
}

/** Makes the folder for what is in the way. */
export function makeAside(home: Home, now: Date): string {
  const aside = join(home.trash, `before-restore-${now.toISOString().replaceAll(/[:.]/g, '-')}`)
  mkdirSync(aside, { recursive: true, mode: 0o700 })
  return aside
}

/** Moves what is in the way to `aside`; what is not in the home is renamed where it is. */
export function moveAside(home: Home, paths: readonly string[], aside: string): void {
  for (const path of paths) {
    const isOurs = dirname(path) === home.folder
    renameSync(path, isOurs ? join(aside, basename(path)) : `${path}.${basename(aside)}`)
  }
}

/** Call when the way is free. The database comes last: its folder may be inside one of the others. */
export function moveIn(home: Home, { folder, dataDir, manifest }: Unpacked): void {
  const database = dirname(DATABASE)
  for (const name of readdirSync(folder)) {
    if (name === database && manifest.schema !== null) continue
    const path = join(home.folder, name)
    if (isEmptyFolder(path)) rmSync(path, { recursive: true })
    renameSync(join(folder, name), path)
  }
  if (manifest.schema !== null) {
    makeFolder(dataDir)
    moveFile(join(folder, DATABASE), join(dataDir, 'hookline.db'))
    rmSync(join(folder, database), { recursive: true })
  }
  syncFolder(home.folder)
}

/** Also works across disks. */
function moveFile(from: string, to: string): void {
  const partial = `${to}.partial`
  copyFileSync(from, partial)
  const file = openSync(partial, 'r')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  renameSync(partial, to)
  syncFolder(dirname(to))
}

/** Removes the folders of interrupted restores. */
export function sweepStaging(home: Home): void {
  for (const path of stagingIn(home)) rmSync(path, { recursive: true, force: true })
}

function isEmptyFolder(path: string): boolean {
  try {
    return readdirSync(path).length === 0
  } catch {
    return false
  }
}
