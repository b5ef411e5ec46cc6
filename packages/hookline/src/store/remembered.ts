// What the database remembers of bots, read without a server, or beside one.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { readOnlyAt } from './copy.ts'

/** The bots of which something of this kind is remembered; none where the database cannot be read. */
export function botsRemembered(folder: string, kind: string): ReadonlySet<string> {
  const file = join(folder, 'hookline.db')
  try {
    if (!existsSync(file)) return new Set()
    using db = new DatabaseSync(readOnlyAt(folder, file), { readOnly: true, timeout: 1_000 })
    const keys = db.prepare(`SELECT bot FROM bot_state WHERE bot GLOB '*:' || ?`).all(kind)
    return new Set(keys.map(({ bot }) => String(bot).slice(0, -kind.length - 1)))
  } catch {
    // The server says so when it starts.
    return new Set()
  }
}
