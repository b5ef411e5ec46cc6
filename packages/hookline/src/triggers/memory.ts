// What triggers remember of a bot across restarts: JSON, by kind.
import type { BotState } from '../bots/composer.ts'

/** Bots' names have no colon, so the key cannot clash with a handler's state. */
export function memoryOf(bot: string, kind: 'expect' | 'expires' | 'schedule'): string {
  return `${bot}:${kind}`
}

export async function recall<T>(memory: BotState, key: string): Promise<T | undefined> {
  const json = await memory.load(key)
  return json === undefined ? undefined : (JSON.parse(json) as T)
}
