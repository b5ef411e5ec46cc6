// What triggers remember of a bot across restarts: JSON, by kind.

/** `save` resolves when it is on disk. */
export interface Memory {
  load(key: string): Promise<string | undefined>
  save(key: string, json: string): Promise<void>
}

/** Bots' names have no colon, so the key cannot clash with a handler's state. */
export function memoryOf(bot: string, kind: 'expect' | 'expires' | 'schedule'): string {
  return `${bot}:${kind}`
}

export async function recall<T>(memory: Memory, key: string): Promise<T | undefined> {
  const json = await memory.load(key)
  return json === undefined ? undefined : (JSON.parse(json) as T)
}
