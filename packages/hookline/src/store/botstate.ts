// What a handler keeps in `bot.state`, as JSON; under the bot's name with a colon behind it what others remember of the bot.
import type { DatabaseSync } from 'node:sqlite'

export interface BotStateTable {
  readonly load: (bot: string) => string | undefined
  /** `json` null removes. */
  readonly save: (bot: string, json: string | null) => void
  /** Of a bot that was deleted. Another of its name begins without it, and what had come by `at` was not for that one. */
  readonly forget: (bot: string, at: number) => void
}

export function botStateTable(db: DatabaseSync): BotStateTable {
  const select = db.prepare('SELECT json FROM bot_state WHERE bot = ?')
  const upsert = db.prepare(`
    INSERT INTO bot_state (bot, json) VALUES (?, ?) ON CONFLICT (bot) DO UPDATE SET json = excluded.json`)
  const remove = db.prepare('DELETE FROM bot_state WHERE bot = ?')
  // Behind the colon comes the semicolon.
  const removeAll = db.prepare(
    `DELETE FROM bot_state WHERE bot = ?1 OR (bot > ?1 || ':' AND bot < ?1 || ';')`,
  )
  // Of a hundred thousand deliveries none is written: `isOfBefore` looks at this one row.
  const noteEnd = db.prepare(`
    INSERT INTO bot_state (bot, json)
    SELECT ?1 || '${BEFORE}', json_object('seq', max(seq), 'at', ?2) FROM deliveries WHERE bot = ?1
    HAVING max(seq) IS NOT NULL`)
  return {
    load: (bot) => (select.get(bot) as { json: string } | undefined)?.json,
    save: (bot, json) => {
      if (json === null) remove.run(bot)
      else upsert.run(bot, json)
    },
    forget: (bot, at) => {
      removeAll.run(bot)
      noteEnd.run(bot, at)
    },
  }
}

/** Behind the name of a bot: since when it is another than the one that was deleted, as `{ at }` in ms. */
export const BEFORE = ':before'

/**
 * Whether a row of `deliveries` is of a bot that was deleted and had the same name. Both: where all rows are gone their numbers
 * begin again, and a clock may be put back.
 */
export const isOfBefore = `
  EXISTS (SELECT 1 FROM bot_state WHERE bot_state.bot = deliveries.bot || '${BEFORE}'
    AND deliveries.seq <= json ->> 'seq' AND deliveries.received_at <= json ->> 'at')`
