// Loads every command and all that they need, for a server: later its files may be of another version than itself.
import { setImmediate } from 'node:timers/promises'
import { commands, loaded } from './list.ts'

/** One command in each turn of the event loop, so that others are served in between. Never rejects: a command that fails is reported. */
export async function loadAll(failed: (error: unknown, command: string) => void): Promise<void> {
  for (const listed of commands) {
    try {
      const { needs } = await loaded(listed)
      await needs?.()
    } catch (error) {
      failed(error, listed.name)
    }
    await setImmediate()
  }
}
