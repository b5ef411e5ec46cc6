// The history table: what was said.
import type { DatabaseSync } from 'node:sqlite'
import type { HistoryRow } from './rows.ts'

export interface HistoryTable {
  /** A row whose id is there already changes nothing. */
  readonly add: (row: HistoryRow) => void
  /** The newest `limit` rows (at most 5,000), newest last. */
  readonly last: (conversation: string, limit: number) => readonly HistoryRow[]
  readonly get: (id: string) => HistoryRow | undefined
}

export function historyTable(db: DatabaseSync): HistoryTable {
  const insert = db.prepare(`
    INSERT INTO history (id, time, command, conversation, target, nick, mask, account, is_bot, text, tags, delivery)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING`)
  const one = db.prepare(`SELECT ${columns} FROM history WHERE id = ?`)
  const select = db.prepare(`
    SELECT ${columns} FROM history WHERE conversation = ? ORDER BY seq DESC LIMIT ?`)
  return {
    add: (row) => {
      insert.run(
        row.id,
        row.time,
        row.command,
        row.conversation,
        row.target,
        row.from,
        row.mask,
        row.account,
        row.isBot ? 1 : 0,
        row.text,
        row.tags,
        row.delivery,
      )
    },
    last: (conversation, limit) => {
      const rows = select.all(conversation, Math.max(0, Math.min(Math.trunc(limit), 5_000)))
      return (rows as unknown as StoredRow[]).reverse().map(rowOf)
    },
    get: (id) => {
      const row = one.get(id) as StoredRow | undefined
      return row && rowOf(row)
    },
  }
}

const columns = `
  id, time, command, conversation, target, nick AS "from", mask, account, is_bot AS isBot, text, tags, delivery`

// STRICT tables hold what their columns say, so the cast above cannot lie.
interface StoredRow extends Omit<HistoryRow, 'isBot'> {
  readonly isBot: number
}

function rowOf(row: StoredRow): HistoryRow {
  return { ...row, isBot: row.isBot === 1 }
}
