// What handlers keep in `bot.state`, as JSON; keys that begin `<bot>:` hold what others remember of the bot.
import type { DatabaseSync } from 'node:sqlite'
import { statements } from './rows.ts'

export interface BotStateTable {
  readonly load: (bot: string) => string | undefined
  /** `json` null removes. */
  readonly save: (bot: string, json: string | null) => void
  /** For a deleted bot. A new one of its name starts without the state, and deliveries up to `at` are not its own. */
  readonly forget: (bot: string, at: number) => void
  /** Removes what `forget` noted of bots of whose deliveries none is left. */
  readonly prune: () => void
}

export function botStateTable(db: DatabaseSync): BotStateTable {
  const rowsOf = statements(db)
  const select = rowsOf<{ json: string }>('SELECT json FROM bot_state WHERE bot = ?')
  const upsert = db.prepare(`
    INSERT INTO bot_state (bot, json) VALUES (?, ?) ON CONFLICT (bot) DO UPDATE SET json = excluded.json`)
  const remove = db.prepare('DELETE FROM bot_state WHERE bot = ?')
  // `;` follows `:` in ASCII.
  const removeAll = db.prepare(
    `DELETE FROM bot_state WHERE bot = ?1 OR (bot > ?1 || ':' AND bot < ?1 || ';')`,
  )
  // One row for `IS_OF_BEFORE` to look at, instead of an update of perhaps a hundred thousand deliveries.
  const noteEnd = db.prepare(`
    INSERT INTO bot_state (bot, json)
    SELECT ?1 || '${BEFORE}', json_object('seq', max(seq), 'at', ?2) FROM deliveries WHERE bot = ?1
    HAVING max(seq) IS NOT NULL`)
  const removeNotes = db.prepare(`
    DELETE FROM bot_state WHERE bot GLOB '*${BEFORE}' AND NOT EXISTS (
      SELECT 1 FROM deliveries
      WHERE bot = substr(bot_state.bot, 1, length(bot_state.bot) - ${BEFORE.length}) AND seq <= json ->> 'seq')`)
  return {
    load: (bot) => select.get(bot)?.json,
    save: (bot, json) => {
      if (json === null) remove.run(bot)
      else upsert.run(bot, json)
    },
    forget: (bot, at) => {
      removeAll.run(bot)
      noteEnd.run(bot, at)
    },
    prune: () => void removeNotes.run(),
  }
}

/** Follows a bot's name in a key. The value tells which deliveries were a deleted namesake's, as `{ seq, at }`, in ms. */
export const BEFORE = ':before'

/**
 * Whether a row of `deliveries` belongs to a deleted bot of the same name. Both conditions: once all rows are gone `seq` starts
 * again, and a clock may be set back.
 */
export const IS_OF_BEFORE = `
  EXISTS (SELECT 1 FROM bot_state WHERE bot_state.bot = deliveries.bot || '${BEFORE}'
    AND deliveries.seq <= json ->> 'seq' AND deliveries.received_at <= json ->> 'at')`
