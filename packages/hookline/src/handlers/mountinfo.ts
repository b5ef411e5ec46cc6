// What is mounted where, as the kernel tells it: a mount that is bound elsewhere must keep what limits it.
import { readFileSync } from 'node:fs'

export interface MountPoint {
  readonly path: string
  readonly options: ReadonlySet<string>
}

/** proc(5), /proc/pid/mountinfo. A later mount covers an earlier one at the same place. */
export function readMounts(): readonly MountPoint[] {
  return readFileSync('/proc/self/mountinfo', 'utf8')
    .split('\n')
    .flatMap((line) => {
      const [, , , , path, options] = line.split(' ')
      return path === undefined || options === undefined
        ? []
        : [{ path: unescaped(path), options: new Set(options.split(',')) }]
    })
}

/** The mount that `path` lies on; it must be free of links. */
export function mountOf(path: string, mounts: readonly MountPoint[]): MountPoint | undefined {
  return mounts
    .filter((mount) => isWithin(path, mount.path))
    .reduce<MountPoint | undefined>(
      (best, mount) => (best === undefined || mount.path.length >= best.path.length ? mount : best),
      undefined,
    )
}

export function mountsBelow(path: string, mounts: readonly MountPoint[]): readonly MountPoint[] {
  return mounts.filter((mount) => mount.path !== path && isWithin(mount.path, path))
}

/** Whether `path` is `folder` or something in it; both absolute, without `..`. */
export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`)
}

function unescaped(text: string): string {
  return text.replaceAll(/\\([0-7]{3})/g, (_, octal: string) => String.fromCodePoint(parseInt(octal, 8)))
}
