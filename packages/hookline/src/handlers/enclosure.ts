// The namespaces of a worker as a command line. unshare makes them, a shell in them mounts what the handler may see, and a second
// user namespace leaves the handler without any right over these mounts. util-linux is all that it takes.
import { existsSync, readdirSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { isWithin, type MountPoint, mountOf, mountsBelow, readMounts } from './mountinfo.ts'

export interface Enclosure {
  /** Creates the namespaces, and runs what follows in them. */
  readonly enter: readonly string[]
  /** Lines for a shell, which is the first process there. */
  readonly prepare: readonly string[]
  /** Comes before the interpreter: gives up every right over the namespaces. */
  readonly leave: readonly string[]
}

/** A file or folder that is at the same place inside, with what is mounted in it. */
export interface Shown {
  readonly path: string
  readonly isWritable: boolean
}

/** What no handler may reach. */
export interface Secluded {
  readonly folder: string
  readonly socket: string
  readonly data: string
  /** Whether the server listens on `socket`, and so will not put another in its place. */
  readonly isListening: () => boolean
}

export interface Place {
  /** Where the worker begins. */
  readonly folder: string
  readonly home: Secluded
}

/** Nothing but what is `shown`, processes of its own, a /tmp, and no network unless it is wanted. */
export function enclosed(wanted: readonly Shown[], place: Place & { readonly network: boolean }): Enclosure {
  // What is in a folder is mounted after it.
  const shown = wanted.toSorted((a, b) => a.path.length - b.path.length)
  const mounts = readMounts()
  const hidden = [place.home.folder, place.home.data].map(real)
  const isInside = ({ path }: Shown): boolean => hidden.some((each) => isWithin(real(path), each))
  const open = shown.filter((each) => !isInside(each))
  // Only where Hookline's home is in a folder that is shown as a whole, such as one with a virtual environment.
  const covered = open.flatMap(({ path }) =>
    hidden.filter((each) => isWithin(each, real(path))).map((each) => path + each.slice(real(path).length)),
  )

  const root = emptyPlace(shown.map(({ path }) => real(path)))
  const coverOf = (path: string): string => `${root}/mnt${path}`
  const folders = ['/dev/shm', '/proc', '/tmp', '/mnt', ...covered].map((path) => root + path)
  folders.push(...covered.map(coverOf))
  const files: string[] = []
  for (const path of [...DEVICES, ...shown.map((each) => each.path)]) {
    const isCovered = covered.some((each) => isWithin(path, each))
    for (const inside of [root + path, ...(isCovered ? [coverOf(path)] : [])]) {
      if (isFolder(path)) folders.push(inside)
      else {
        folders.push(dirname(inside))
        files.push(inside)
      }
    }
  }

  const table = [
    ...DEVICES.map((path) => entry(path, root + path, 'bind')),
    entry('proc', `${root}/proc`, `${PROC},subset=pid`, 'proc'),
    // In the file system of the root, whose size bounds all that can be written.
    ...['/tmp', '/dev/shm'].map((path) => entry(`${root}/tmp`, root + path, 'bind,nosuid,nodev')),
    ...open.flatMap((each) => bound(each, root, mounts)),
    ...covered.map((path) => entry(coverOf(path), root + path, 'bind,ro,nosuid,nodev')),
    ...shown.filter(isInside).flatMap((each) => bound(each, root, mounts)),
    entry('none', root, 'remount,bind,ro,nosuid,nodev'),
  ]
  const prepare = [
    ...newRoot(root, folders, files),
    `cp -P /dev/fd /dev/stdin /dev/stdout /dev/stderr ${quoted(`${root}/dev`)} 2>/dev/null`,
    // The one that the handler will be in: it makes no others, in which it would have rights.
    'echo 1 2>/dev/null >/proc/sys/user/max_user_namespaces',
    // The list is mounted over, so that it is not seen.
    ...mountAll(table, `${root}/dev/shm/list`),
    `pivot_root ${quoted(root)} ${quoted(`${root}/mnt`)} && cd / && umount -n -l /mnt ${OR_FAIL}`,
    `cd ${quoted(place.folder)} ${OR_FAIL}`,
  ]
  const apart = ['--ipc', ...(place.network ? [] : ['--net'])]
  return { enter: entering(apart), prepare, leave: [...asOurUser(), ...withoutRights()] }
}

/** All that is there outside, but of Hookline's home neither the control socket nor the database. */
export function veiled({ folder, home }: Place): Enclosure {
  const homeFolder = real(home.folder)
  const socket = join(homeFolder, basename(home.socket))
  const isCovered = home.isListening() && existsSync(socket)
  const mounts = isCovered ? covering(socket, real(home.data)) : veil(homeFolder, home)
  const proc = `mount -n -t proc -o ${PROC} proc /proc ${OR_FAIL}`
  // What it came in with lies below what was mounted.
  const prepare = [...mounts, proc, `cd ${quoted(folder)} ${OR_FAIL}`]
  return { enter: entering([]), prepare, leave: asOurUser() }
}

/** Stays as long as the socket does. */
function covering(socket: string, data: string): readonly string[] {
  return [
    `mount -n --bind /dev/null ${quoted(socket)} ${OR_FAIL}`,
    ...(isFolder(data) ? [`mount -n -t tmpfs -o ro,size=4k hookline ${quoted(data)} ${OR_FAIL}`] : []),
  ]
}

/** In place of the home another folder, which has what is in it now: a socket that is made later is not in it either. */
function veil(homeFolder: string, home: Secluded): readonly string[] {
  if (!isFolder(homeFolder)) return []
  const data = real(home.data)
  const root = emptyPlace([homeFolder, data])
  const kept = readdirSync(homeFolder)
    .map((name) => join(homeFolder, name))
    .filter((path) => basename(path) !== basename(home.socket) && real(path) !== data)
  const folders = kept.filter(isFolder)
  const files = kept.filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile())
  const inNew = (path: string): string => `${root}/home/${basename(path)}`
  const table = [
    // Before what it may be in, which is bound with all that is mounted there.
    ...(isFolder(data) ? [entry(`${root}/empty`, data, 'bind,ro,nosuid,nodev')] : []),
    ...[...folders, ...files].map((path) => entry(path, inNew(path), 'rbind')),
    entry(`${root}/home`, homeFolder, 'rbind,ro,nosuid,nodev'),
  ]
  return [
    ...newRoot(root, [`${root}/home`, `${root}/empty`, ...folders.map(inNew)], files.map(inNew)),
    ...mountAll(table, `${root}/list`),
    `umount -n -l ${quoted(root)} ${OR_FAIL}`,
  ]
}

/** When the server dies, so does setpriv (PR_SET_PDEATHSIG), which by then is unshare; and with it the first process within. */
const PARTED = ['setpriv', '--pdeathsig', 'KILL', 'unshare', '--user', '--pid', '--fork', '--kill-child']

function entering(apart: readonly string[]): readonly string[] {
  return [...PARTED, '--map-root-user', '--mount', ...apart]
}

/** Without any of that: for systems that allow no mounts. In many containers not even /proc can be mounted again. */
export const BARE_WAYS: readonly (readonly string[])[] = [
  [...PARTED, '--map-current-user', '--mount-proc'],
  [...PARTED, '--map-current-user'],
]

function asOurUser(): readonly string[] {
  const [user, group] = [process.geteuid?.() ?? 0, process.getegid?.() ?? 0]
  return ['unshare', '--user', `--map-user=${user}`, `--map-group=${group}`]
}

/** Root keeps capabilities when it executes something; for others there are none left. */
function withoutRights(): readonly string[] {
  const all = process.geteuid?.() === 0 ? ['--bounding-set=-all', '--inh-caps=-all'] : []
  return ['setpriv', '--no-new-privs', ...all]
}

const DEVICES = ['null', 'zero', 'full', 'random', 'urandom'].map((name) => `/dev/${name}`)
const PROC = 'nosuid,nodev,noexec'
/** All that a handler writes to its /tmp. Beyond it: ENOSPC. */
const TMP_MIB = 64

/** EX_OSERR of sysexits.h: what the server takes for: it could not be enclosed. */
const OR_FAIL = '|| exit 71'

function newRoot(root: string, folders: readonly string[], files: readonly string[]): readonly string[] {
  const options = `mode=755,size=${TMP_MIB}m,nr_inodes=16384,nosuid,nodev`
  return [
    `mount -n -t tmpfs -o ${options} hookline ${quoted(root)} ${OR_FAIL}`,
    `mkdir -p ${[...new Set(folders)].map(quoted).join(' ')} ${OR_FAIL}`,
    ...[...new Set(files)].map((path) => `: >${quoted(path)} ${OR_FAIL}`),
  ]
}

/** In one process, from a list like fstab(5). */
function mountAll(table: readonly string[], list: string): readonly string[] {
  return [
    `printf '%s\\n' ${table.map(quoted).join(' ')} >${quoted(list)} ${OR_FAIL}`,
    `mount -n -a -T ${quoted(list)} ${OR_FAIL}`,
  ]
}

function bound({ path, isWritable }: Shown, root: string, mounts: readonly MountPoint[]): readonly string[] {
  const source = real(path)
  const limits = (mount: MountPoint | undefined): string => {
    const isReadOnly = !isWritable || mount?.options.has('ro')
    // What the mount already forbids cannot be allowed from within a user namespace.
    return `nosuid,nodev${isReadOnly ? ',ro' : ''}${mount?.options.has('noexec') ? ',noexec' : ''}`
  }
  const below = mountsBelow(source, mounts).filter(({ options }) => !isWritable && !options.has('ro'))
  return [
    entry(source, root + path, `rbind,${limits(mountOf(source, mounts))}`),
    ...below.map((mount) =>
      entry('none', root + path + mount.path.slice(source.length), `remount,bind,${limits(mount)}`),
    ),
  ]
}

function entry(source: string, target: string, options: string, type = 'none'): string {
  return `${escaped(source)} ${escaped(target)} ${type} ${options} 0 0`
}

/** fstab(5). */
function escaped(path: string): string {
  return path.replaceAll(/[\s\\#]/g, (char) => `\\${(char.codePointAt(0) ?? 0).toString(8).padStart(3, '0')}`)
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

/** A folder to mount on, which hides none of `paths`. */
function emptyPlace(paths: readonly string[]): string {
  const places = ['/mnt', '/media', '/srv', '/opt', '/sys', '/run']
  const free = places.find((place) => isFolder(place) && !paths.some((path) => isWithin(path, place)))
  return free ?? '/mnt'
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}

/** Without links, if it exists. */
function real(path: string): string {
  return existsSync(path) ? realpathSync(path) : path
}
