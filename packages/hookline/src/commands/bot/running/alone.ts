// Serialises changes of the bots' files: each change rewrites what it has read, so no other may be lost in between.
import { existsSync } from 'node:fs'
import { cannot, type Answer } from '../../../control/failure.ts'
import { type Lock, takeLock } from '../../../store/lock.ts'
import type { Context } from '../../context.ts'
import { unusable } from '../../diskfailure.ts'

/** The same handler, with the lock held from its first look at the files to its last. */
export function alone<In, Out>(handler: (context: Context, input: In) => Answer<Out>) {
  return (context: Context, input: In): Answer<Out> => whileAlone(context, () => handler(context, input))
}

export function whileAlone<T>({ home, running }: Context, change: () => Answer<T>): Answer<T> {
  // Without a home there is nothing to change.
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
      `somebody else is changing the bots in ${home.folder}`,
      'run it again when the other command has ended',
    )
  }
  try {
    return change()
  } finally {
    lock.release()
  }
}

/** A change takes a few milliseconds. */
const COMMAND_WAITS_MS = 5_000
/** Waiting blocks the whole server. Besides it, only a command that found no server a moment ago can hold the lock. */
const SERVER_WAITS_MS = 250
