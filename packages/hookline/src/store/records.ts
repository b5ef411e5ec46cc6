// Persistent records: whatever the rooms above must find again, each under its kind and key, as JSON.
import type { DatabaseSync } from 'node:sqlite'
import { statements } from './rows.ts'

/** The store's own kind: when the last bot was forgotten. */
export const BOTS = 'bots'
/** The same: the time that the server has seen pass. */
export const CLOCK = 'clock'

/** `json` null: it is gone. */
export interface KeptRecord {
  readonly kind: string
  readonly key: string
  readonly json: string | null
}

/** One of a kind. */
export interface RecordRow {
  readonly key: string
  readonly json: string
}

export interface RecordsTable {
  readonly all: (kind: string) => readonly RecordRow[]
  readonly save: (record: KeptRecord) => void
}

export function recordsTable(db: DatabaseSync): RecordsTable {
  const rowsOf = statements(db)
  const select = rowsOf<RecordRow>('SELECT key, json FROM records WHERE kind = ? ORDER BY key')
  const upsert = db.prepare(`
    INSERT INTO records (kind, key, json) VALUES (?, ?, ?)
    ON CONFLICT (kind, key) DO UPDATE SET json = excluded.json`)
  const remove = db.prepare('DELETE FROM records WHERE kind = ? AND key = ?')
  return {
    all: (kind) => select.all(kind),
    save: ({ kind, key, json }) => {
      if (json === null) remove.run(kind, key)
      else upsert.run(kind, key, json)
    },
  }
}
