// Open files, of which each connection takes one. Where there are too many, whoever connects is cut off by the system before anybody
// here hears of it: so the chat leaves some to the others, and the system is asked.
import { closeSync, openSync, readFileSync } from 'node:fs'
import { devNull } from 'node:os'
import type { Log } from './log.ts'

/** What the chat leaves: for webhooks, handlers, the database and commands. */
const KEPT = 256

/** How many connections the chat may hold: at least half of the files that this process may open. */
export function roomForChat(): number {
  const files = openFilesLimit()
  return files - Math.min(KEPT, Math.floor(files / 2))
}

/** RLIMIT_NOFILE; Infinity where the system has no /proc. */
function openFilesLimit(): number {
  try {
    const [, soft] = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'latin1')) ?? []
    return soft === undefined ? Infinity : Number(soft)
  } catch {
    return Infinity
  }
}

const EVERY_MS = 1_000
/** Somebody who comes and goes at the limit is told of once. */
const QUIET_MS = 60_000

/** Says in the log when no file can be opened any more, at most once a minute. Returns what stops it. */
export function watchDescriptors(log: Log, elapsed: () => number): () => void {
  let toldAt = -Infinity
  const asking = setInterval(() => {
    if (elapsed() - toldAt < QUIET_MS || hasRoom()) return
    toldAt = elapsed()
    log.error(
      'too many open files: whoever connects now is cut off. Raise the limit (ulimit -n, LimitNOFILE= of systemd), and start the server again',
    )
  }, EVERY_MS)
  return () => clearInterval(asking)
}

function hasRoom(): boolean {
  try {
    closeSync(openSync(devNull, 'r'))
    return true
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    // ENFILE: not this process, but the whole machine.
    return code !== 'EMFILE' && code !== 'ENFILE'
  }
}
