// What the next start of the server would meet: its settings, and everything on this machine that they name. Nothing is changed.
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  lstatSync,
  openSync,
  readSync,
  statfsSync,
  statSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import type { ConfigRead } from '../../config/config.ts'
import { chatSettings } from '../../config/settings.ts'
import { expectOwn, type Home } from '../../home/home.ts'
import { bindFailure, hostAndPort } from '../../net/listening.ts'
import { expectPresent, expectUnused } from '../../store/database.ts'
import { migrations } from '../../store/schema.ts'
import { messageOf } from '../../failure/thrown.ts'
import { expiryOf, openKeys } from '../../wire/keys.ts'
import { formatProblem } from '../../yaml/yamlfile.ts'
import { DISK_HINT, hintForDisk } from '../diskfailure.ts'

/** Something that the next start would meet. */
export interface Snag {
  /** With its file, line and column where it has them. */
  readonly what: string
  readonly mend: string
  /** Else the server starts, but not everything works. */
  readonly stops: boolean
}

export interface NextStartOptions {
  readonly home: Home
  /** Addresses of the server that runs in this home, `127.0.0.1:6697 tls`: it frees them before the next starts. Undefined if none runs. */
  readonly ours: readonly string[] | undefined
  /** The folder of the database that this server has open, if it does. */
  readonly openFolder?: string | undefined
}

export async function lookAhead(read: ConfigRead, options: NextStartOptions): Promise<readonly Snag[]> {
  if (!read.ok)
    return read.problems.map((problem) => ({
      what: formatProblem(problem),
      mend: 'correct the setting',
      stops: true,
    }))
  const ports = await busyPorts(read, options)
  return [
    ...read.warnings.map((what) => ({ what, mend: 'correct the setting', stops: false })),
    ...certificates(read),
    ...motd(read),
    ...ports,
    ...folders(read, options),
    ...database(read, options),
  ].toSorted((a, b) => Number(b.stops) - Number(a.stops))
}

type Good = Extract<ConfigRead, { readonly ok: true }>

function snagAt(
  { problemAt }: Good,
  path: readonly PropertyKey[],
  message: string,
  rest: Omit<Snag, 'what'>,
): Snag {
  return { what: formatProblem(problemAt(path, message)), ...rest }
}

function certificates(read: Good): Snag[] {
  const seen = new Set<string>()
  return read.config.listeners.flatMap(({ tls = [] }, index) =>
    tls.flatMap((files, which) => {
      // Listeners may share a certificate.
      const pair = JSON.stringify(files)
      if (seen.has(pair)) return []
      seen.add(pair)
      const path = ['listeners', index, 'tls', ...(which === 0 ? [] : ['more', which - 1])]
      try {
        const words = openKeys([files])
          .validities()
          .flatMap((validity) => expiryOf(validity, Date.now()) ?? [])
        return words.map((word) =>
          snagAt(read, [...path, 'cert'], word, { mend: 'put a new one in its place', stops: false }),
        )
      } catch (error) {
        const mend =
          'name two PEM files that belong together and that the server may read, the key without a passphrase'
        return snagAt(read, [...path, 'key'], messageOf(error), { mend, stops: true })
      }
    }),
  )
}

function motd(read: Good): Snag[] {
  try {
    chatSettings(read.config, '')
    return []
  } catch (error) {
    const mend = 'name a file that the server may read, or remove server.motd_file'
    return [snagAt(read, ['server', 'motd_file'], messageOf(error), { mend, stops: true })]
  }
}

async function busyPorts(read: Good, { ours = [] }: NextStartOptions): Promise<Snag[]> {
  const { listeners, webhooks } = read.config
  const doors = [
    ...listeners.map(({ host, port }, index) => ({ host, port, path: ['listeners', index, 'port'] })),
    ...(webhooks.enabled ? [{ host: webhooks.host, port: webhooks.port, path: ['webhooks', 'port'] }] : []),
  ]
  const ourPorts = new Set(ours.map((address) => Number(/:(\d+)(?:$|[ /])/.exec(address)?.[1])))
  const asked = doors.map(async ({ host, port, path }): Promise<Snag[]> => {
    // On whatever address: the server that runs has it, and the next one is started when that one has stopped.
    if (port === 0 || ourPorts.has(port)) return []
    const why = await cannotBind(host, port)
    if (why === undefined) return []
    const what = `cannot listen on ${hostAndPort(host, port)}: ${why}`
    return [snagAt(read, path, what, { mend: 'choose another address, or stop what uses it', stops: true })]
  })
  return (await Promise.all(asked)).flat()
}

/** Listens there for a moment. */
function cannotBind(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer((socket) => socket.destroy())
    server.once('error', (error) => resolve(bindFailure(error)))
    server.listen({ host, port }, () => server.close(() => resolve(undefined)))
  })
}

/** Below this, deliveries are soon refused. */
const LEAST_FREE_BYTES = 64 * 1024 * 1024
/** A longer path is none for a socket. */
const LONGEST_SOCKET_PATH = 107

function folders({ config, problemAt }: Good, { home, openFolder }: NextStartOptions): Snag[] {
  const { dataDir = home.data } = config
  const ofHome = { mend: 'set HOOKLINE_HOME to a folder of the user who starts the server', stops: true }
  const found: Snag[] = []
  const look = (check: () => void, snag: (why: string) => Snag): void => {
    try {
      check()
    } catch (error) {
      found.push(snag(messageOf(error)))
    }
  }
  // The server that runs has them already, and a reload says itself what is wrong with the bots.
  for (const folder of openFolder === undefined ? [home.folder, home.bots] : [])
    look(
      () => {
        if (existsSync(folder)) expectOwn(folder)
        else if (lstatSync(folder, { throwIfNoEntry: false }))
          throw new Error('it is a link that leads nowhere')
        accessSync(nearestOf(folder), constants.R_OK | constants.W_OK | constants.X_OK)
      },
      (why) => ({ what: `${folder} cannot be used: ${why}`, ...ofHome }),
    )
  if (Buffer.byteLength(home.socket) > LONGEST_SOCKET_PATH)
    found.push({ what: `the path of the control socket is too long: ${home.socket}`, ...ofHome })
  const files = ['hookline.db', 'hookline.db-wal', 'lock'].map((file) => join(dataDir, file))
  for (const file of [dataDir, ...files.filter((each) => existsSync(each))])
    look(
      () => {
        const nearest = nearestOf(file)
        if (file === dataDir && !statSync(nearest).isDirectory())
          throw new Error(`${nearest} is not a folder`)
        accessSync(nearest, constants.R_OK | constants.W_OK)
      },
      (why) => ({
        what:
          config.dataDir === undefined
            ? `${file} cannot be used: ${why}`
            : formatProblem(problemAt(['data_dir'], `${file} cannot be used: ${why}`)),
        mend: 'the folder and everything in it must belong to the user who starts the server',
        stops: true,
      }),
    )
  look(
    () => {
      const { bavail, bsize } = statfsSync(nearestOf(dataDir))
      if (bavail * bsize < LEAST_FREE_BYTES)
        throw new Error(`${Math.floor((bavail * bsize) / 1024 / 1024)} MiB are free`)
    },
    (why) => ({
      what: `the disk of ${dataDir} is nearly full: ${why}`,
      mend: 'make room there',
      stops: false,
    }),
  )
  return found
}

/** The folder, or the first above it that is there. */
function nearestOf(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : nearestOf(dirname(path))
}

function database({ config, problemAt }: Good, { home, ours, openFolder }: NextStartOptions): Snag[] {
  const { dataDir = home.data } = config
  const file = join(dataDir, 'hookline.db')
  if (existsSync(join(home.data, 'hookline.db')) && !existsSync(file)) {
    const what = `no database is in ${dataDir}, but there is one in ${home.data}`
    const mend = 'move all files of the other folder there, or remove data_dir'
    return [{ what: formatProblem(problemAt(['data_dir'], what)), mend, stops: true }]
  }
  // A process that closes a file of its own server's would drop the locks on it.
  if (openFolder !== undefined && isSame(file, join(openFolder, 'hookline.db'))) return []
  const snag = (why: string, mend: string): Snag[] => [
    { what: `the database in ${dataDir}: ${why}`, mend, stops: true },
  ]
  try {
    if (ours === undefined && existsSync(join(dataDir, 'lock'))) expectUnused(dataDir)
    expectPresent(file)
    const version = versionIn(file)
    if (version === undefined) return []
    if (version === 'damaged')
      return snag('it is not a whole SQLite file', 'restore a backup: hookline server restore FILE --force')
    return version > migrations.length ? snag('a newer version of hookline wrote it', 'update hookline') : []
  } catch (error) {
    return snag(messageOf(error), hintForDisk(error) ?? DISK_HINT)
  }
}

/** Whatever the two paths are: one may lead through a link. */
function isSame(one: string, other: string): boolean {
  const [a, b] = [one, other].map((file) => statSync(file, { throwIfNoEntry: false }))
  return one === other || (a !== undefined && a.ino === b?.ino && a.dev === b.dev)
}

/** From its header (sqlite.org/fileformat.html, 1.3): no lock is taken. Undefined while there is none. */
function versionIn(file: string): number | 'damaged' | undefined {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0
  if (size === 0) return undefined
  const header = Buffer.alloc(100)
  const opened = openSync(file, 'r')
  try {
    readSync(opened, header)
  } finally {
    closeSync(opened)
  }
  if (header.subarray(0, 16).toString('latin1') !== 'SQLite format 3\0') return 'damaged'
  // 1 stands for 65,536.
  const pageBytes = header.readUInt16BE(16) === 1 ? 65_536 : header.readUInt16BE(16)
  // With a WAL the rest may be in there.
  const isShort = size < header.readUInt32BE(28) * pageBytes && !isFilled(`${file}-wal`)
  return isShort ? 'damaged' : header.readUInt32BE(60)
}

function isFilled(file: string): boolean {
  return (statSync(file, { throwIfNoEntry: false })?.size ?? 0) > 0
}
