// One change of the bots' files at a time, whoever makes it: each writes what it has read, and nobody else's change is lost.
import { existsSync } from 'node:fs'
import { type Lock, takeLock } from '../../store/lock.ts'
import type { Desk } from '../desk.ts'
import { cannot, unusable, type Answer } from '../failure.ts'

/** The same handler, and nobody else changes a bot from its first look at the files to its last. */
export function alone<In, Out>(handler: (desk: Desk, input: In) => Answer<Out>) {
  return (desk: Desk, input: In): Answer<Out> => whileAlone(desk, () => handler(desk, input))
}

export function whileAlone<T>({ home, running }: Desk, change: () => Answer<T>): Answer<T> {
  // Where there is no home yet there is nothing to change.
  if (!existsSync(home.folder)) return change()
  let lock: Lock | undefined
  try {
    lock = takeLock(home.botsLock, running ? SERVER_WAITS_MS : COMMAND_WAITS_MS)
  } catch (error) {
    return unusable(home.botsLock, error)
  }
  if (!lock) {
    return cannot(
      'busy',
      `somebody else is changing a bot in ${home.bots}`,
      'run it again when the other command has ended',
    )
  }
  try {
    return change()
  } finally {
    lock.release()
  }
}

/** A change takes some milliseconds. */
const COMMAND_WAITS_MS = 5_000
/** Nobody is served meanwhile; and who changes files beside a server is only a command that found none a moment ago. */
const SERVER_WAITS_MS = 250
