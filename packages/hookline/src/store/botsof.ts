// Which bots have rows in a table that has an index by bot.
import type { DatabaseSync } from 'node:sqlite'
import { statements } from './rows.ts'

export function botsOf(db: DatabaseSync, table: 'deliveries' | 'threads'): () => readonly string[] {
  const rowsOf = statements(db)
  // From name to name through the index; DISTINCT would read all of it.
  const names = rowsOf<{ bot: string }>(`
    WITH RECURSIVE names (bot) AS (
      SELECT min(bot) FROM ${table}
      UNION ALL SELECT (SELECT min(bot) FROM ${table} WHERE bot > names.bot) FROM names WHERE bot IS NOT NULL)
    SELECT bot FROM names WHERE bot IS NOT NULL`)
  return () => names.all().map(({ bot }) => bot)
}
