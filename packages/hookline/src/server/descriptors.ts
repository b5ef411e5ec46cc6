// File descriptors: each connection takes one. When they run out, the system drops new connections before the server
// learns of them: so the chat and the webhooks have a share each, beyond which they refuse or close connections themselves, and
// the rest is left to the database, handlers and commands. A probe detects if that is not enough.
import { closeSync, openSync, readFileSync } from 'node:fs'
import { devNull } from 'node:os'
import type { Log } from '../log/log.ts'
import { LogThrottle } from '../log/logthrottle.ts'
import { isCode } from '../failure/thrown.ts'

/** What a server without connections has open: the database, its thread, watchers, standard output. */
const OPEN_ANYWAY = 40
/** Left to handlers, certificates, backups and commands: a quarter of the rest, within these. */
const KEPT = { least: 16, most: 256 }
/** A quarter of what then remains; the chat has all else. */
const WEBHOOKS = { least: 4, most: 1_000 }

/** Most connections of the chat, refused ones included, and of the webhook listener: together always fewer than files. */
export function roomForConnections(files = openFilesLimit()): {
  readonly chat: number
  readonly webhooks: number
} {
  const spare = Math.max(0, files - OPEN_ANYWAY)
  const left = Math.max(0, spare - within(KEPT, spare / 4))
  const webhooks = within(WEBHOOKS, left / 4)
  return { chat: Math.max(WEBHOOKS.least, left - webhooks), webhooks }
}

function within({ least, most }: { least: number; most: number }, count: number): number {
  return Math.max(least, Math.min(most, Math.floor(count)))
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
