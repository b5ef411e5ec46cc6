// What a handler keeps in `bot.state`, as JSON.
import type { DatabaseSync } from 'node:sqlite'

export interface BotStateTable {
  readonly load: (bot: string) => string | undefined
  readonly save: (bot: string, json: string) => void
}

export function botStateTable(db: DatabaseSync): BotStateTable {
  const select = db.prepare('SELECT json FROM bot_state WHERE bot = ?')
  const upsert = db.prepare(`
    INSERT INTO bot_state (bot, json) VALUES (?, ?) ON CONFLICT (bot) DO UPDATE SET json = excluded.json`)
  return {
    load: (bot) => (select.get(bot) as { json: string } | undefined)?.json,
    save: (bot, json) => {
      upsert.run(bot, json)
    },
  }
}
