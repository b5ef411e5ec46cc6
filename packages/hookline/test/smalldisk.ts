// A server whose bots and data are on a small file system, in a mount namespace of its own.
import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs'
import type { Home } from '../src/home/home.ts'
import { startBy, type Started } from './command.ts'
import { mounting } from './mounts.ts'

const mount = `cd "$HOOKLINE_HOME" && mount -t tmpfs -o size=24m tmpfs data && cp -r bots data && mount --bind data/bots bots`

/** Its folder for data must be there. */
export function startOnSmallDisk(home: Home): Promise<Started> {
  // Its log goes to the same disk, as that of a server in the background does.
  const script = `${mount} && exec "$@" 2>"$HOOKLINE_HOME/data/server.log"`
  return startBy(mounting(script), home)
}

/** Its data: nobody else has that mount. */
export function seenFromHere({ child }: Started, home: Home): string {
  return `/proc/${child.pid}/root${home.data}`
}

/** Until not a single byte more fits. */
export function fill(path: string): void {
  const file = openSync(path, 'w')
  const block = Buffer.alloc(64 * 1024)
  try {
    for (let size = block.length; size > 0;) {
      try {
        writeSync(file, block, 0, size)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
        size = Math.floor(size / 2)
      }
    }
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}
