// Waits until a server that agreed to stop has exited.
import { readFileSync } from 'node:fs'
import { setTimeout as after } from 'node:timers/promises'
import { cannot, done, type Answer } from '../control/failure.ts'
import { isCode } from '../failure/thrown.ts'

const PATIENCE_MS = 20_000
const LOOK_MS = 50

/** The server drains for ten seconds at most; one that takes twice as long is stuck. */
export async function untilGone(
  { pid }: { readonly pid: number },
  patienceMs = PATIENCE_MS,
): Promise<Answer<{ stopped: true; pid: number }>> {
  const deadline = Date.now() + patienceMs
  while (isAlive(pid)) {
    if (Date.now() > deadline) {
      return cannot(
        'unreachable',
        `the server (pid ${pid}) has not exited in ${patienceMs / 1000} s`,
        // To a server that is stopping already, SIGTERM says nothing new.
        `end it: kill -9 ${pid}`,
      )
    }
    await after(LOOK_MS)
  }
  return done({ stopped: true, pid })
}

/** Signal 0 tests whether the process exists. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return !isZombie(pid)
  } catch (error) {
    return isCode(error, 'EPERM')
  }
}

/**
 * Whether it has exited but was not reaped: its parent is a script that waits for `server stop` first, or a container's
 * init that reaps nothing. proc(5): the state follows the name, which may contain anything, even `)`.
 */
function isZombie(pid: number): boolean {
  if (process.platform !== 'linux') return false
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    return stat.startsWith('Z', stat.lastIndexOf(')') + 2)
  } catch {
    return false // it ended meanwhile, which the next check sees
  }
}
