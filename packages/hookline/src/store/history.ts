// The history table: what was said.
import type { DatabaseSync } from 'node:sqlite'
import { COLUMNS, rowOf, type StoredRow } from './historycolumns.ts'
import type { HappenedRow, HeardQuery, HistoryRow, Redaction, Renaming } from './historyrows.ts'
import { statements } from './rows.ts'
import type { SearchIndex } from './search.ts'
import { HISTORY, type HistoryValues } from './values.ts'

export interface HistoryTable {
  /** In order. A row whose id exists already changes nothing. */
  readonly add: (rows: readonly HistoryValues[]) => void
  /** A row for each place. */
  readonly addHappened: (row: HappenedRow) => void
  /** Up to `limit` messages (at most 5,000) that everybody there heard, newest last. */
  readonly heard: (query: HeardQuery) => readonly HistoryRow[]
  readonly get: (id: string) => HistoryRow | undefined
  /** Removes text and tags for good. Returns the row as it was; undefined when it is not there, or is redacted already. */
  readonly redact: (id: string, redaction: Redaction) => HistoryRow | undefined
  /** Files what was said in a channel, to all of it or to some ranks, under its new name. */
  readonly rename: (renaming: Renaming) => void
  /** What a delivery said, without redacted messages. */
  readonly saidBy: (delivery: string) => readonly HistoryRow[]
}

export function historyTable(db: DatabaseSync, index: SearchIndex): HistoryTable {
  const rowsOf = statements(db)
  const insertOf = (rows: number) =>
    db.prepare(`
      INSERT INTO history
        (id, time, command, conversation, target, nick, mask, account, is_bot, text, tags, delivery, rank, closed)
      VALUES ${Array(rows).fill('(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)').join(', ')}
      ON CONFLICT (id) DO NOTHING`)
  const insert = insertOf(1)
  const insertTogether = insertOf(TOGETHER)
  const insertEvent = db.prepare(`
    INSERT OR IGNORE INTO history_events
      (conversation, time, id, command, target, mask, account, is_bot, params, closed)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`)
  const meet = db.prepare('INSERT OR IGNORE INTO correspondents (party, conversation) VALUES (?, ?)')
  const one = rowsOf<StoredRow>(`SELECT ${COLUMNS} FROM history WHERE id = ?`)
  const newestBefore = rowsOf<StoredRow>(`
    SELECT ${COLUMNS} FROM history
    WHERE conversation = ? AND time < ? AND rank IS NULL AND command <> 'TAGMSG'
    ORDER BY time DESC, seq DESC LIMIT ?`)
  const oldestAfter = rowsOf<StoredRow>(`
    SELECT ${COLUMNS} FROM history
    WHERE conversation = ? AND time > ? AND rank IS NULL AND command <> 'TAGMSG'
    ORDER BY time, seq LIMIT ?`)
  const place = rowsOf<{ seq: number }>('SELECT seq FROM history WHERE id = ?')
  const blank = db.prepare(`UPDATE history SET text = '', tags = '{}', redacted = ? WHERE id = ?`)
  const moveEvents = db.prepare(
    'UPDATE OR IGNORE history_events SET conversation = ?, target = ? WHERE conversation = ?',
  )
  // The target of a message to some ranks begins with their prefix.
  const move = db.prepare(`
    UPDATE history SET conversation = ?1, target = iif(target LIKE '#%', '', substr(target, 1, 1)) || ?2
    WHERE conversation = ?3`)
  const ofDelivery = rowsOf<StoredRow>(`
    SELECT ${COLUMNS} FROM history WHERE delivery = ? AND redacted IS NULL ORDER BY seq`)

  function get(id: string): HistoryRow | undefined {
    const row = one.get(id)
    return row && rowOf(row)
  }

  return {
    add: (rows) => {
      let added = 0
      for (; added + TOGETHER <= rows.length; added += TOGETHER)
        insertTogether.run(...rows.slice(added, added + TOGETHER).flat())
      for (const values of rows.slice(added)) insert.run(...values)
      for (const row of rows) {
        const conversation = row[HISTORY.conversation]
        if (!conversation.includes(' ')) continue
        for (const party of conversation.split(' ')) meet.run(party, conversation)
      }
    },
    addHappened: ({ id, time, command, mask, account, isBot, params, places }) => {
      const json = JSON.stringify(params)
      for (const { conversation, target, closed = null } of places)
        insertEvent.run(conversation, time, id, command, target, mask, account, isBot ? 1 : 0, json, closed)
    },
    heard: ({ conversation, limit, ...place }) => {
      const most = Math.max(0, Math.min(Math.trunc(limit), 5_000))
      const rows =
        'after' in place
          ? oldestAfter.all(conversation, place.after, most)
          : newestBefore.all(conversation, place.before ?? Number.MAX_SAFE_INTEGER, most).reverse()
      return rows.map(rowOf)
    },
    get,
    redact: (id, redaction) => {
      const row = get(id)
      if (row === undefined || row.redacted) return undefined
      index.forget({ ...row, seq: place.get(id)?.seq ?? 0 })
      blank.run(JSON.stringify(redaction), id)
      return row
    },
    rename: ({ from, to, name }) => {
      move.run(to, name, from)
      moveEvents.run(to, name, from)
      index.rename(from, to)
    },
    saidBy: (delivery) => ofDelivery.all(delivery).map(rowOf),
  }
}

/** Inserted by one statement, this many rows take half the time. */
const TOGETHER = 32
