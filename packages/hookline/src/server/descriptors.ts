// File descriptors: each connection takes one. When they run out, the system drops new connections before the server
// learns of them: so the chat leaves some to the others, and a probe detects it.
import { closeSync, openSync, readFileSync } from 'node:fs'
import { devNull } from 'node:os'
import type { Log } from '../log.ts'
import { LogThrottle } from '../logthrottle.ts'
import { isCode } from '../thrown.ts'

/** Left by the chat for webhooks, handlers, the database and commands. */
const KEPT = 256

/** Most connections of the chat: at least half of this process's limit on open files. */
export function roomForChat(): number {
  const files = openFilesLimit()
  return files - Math.min(KEPT, Math.floor(files / 2))
}

/** The soft RLIMIT_NOFILE; Infinity without /proc. */
function openFilesLimit(): number {
  try {
    const [, soft] = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'latin1')) ?? []
    return soft === undefined ? Infinity : Number(soft)
  } catch {
    return Infinity
  }
}

const EVERY_MS = 1_000

/** When no file can be opened any more, makes room, and logs it at most once a minute. Returns a function that stops it. */
export function watchDescriptors(log: Log, elapsed: () => number, makeRoom: () => void): () => void {
  const throttle = new LogThrottle()
  const asking = setInterval(() => {
    if (hasRoom()) return
    makeRoom()
    if (!throttle.admit('full', elapsed())) return
    log.error(
      {},
      'too many open files: new connections are closed. Raise the limit (ulimit -n, LimitNOFILE= of systemd), and start the server again',
    )
  }, EVERY_MS)
  return () => clearInterval(asking)
}

function hasRoom(): boolean {
  try {
    closeSync(openSync(devNull, 'r'))
    return true
  } catch (error) {
    // EMFILE: the limit of this process; ENFILE: of the whole machine.
    return !isCode(error, 'EMFILE') && !isCode(error, 'ENFILE')
  }
}
