// What happens to old history: of each conversation so much is kept, and nothing for longer than so many days.
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { HistoryRetention } from './retention.ts'
import { type Indexed, indexedColumns, type SearchIndex } from './search.ts'

/**
 * Takes one step and says whether there is more to do at once. Steps go from conversation to conversation by name and begin
 * again at the end, so that each has its turn within minutes, or hours where there are a hundred thousand.
 */
export function trimmer(
  db: DatabaseSync,
  index: SearchIndex,
): (asked: { readonly now: number; readonly keep: HistoryRetention }) => boolean {
  const messages = cursor(db, 'history')
  const events = cursor(db, 'history_events')
  const removeMessages = db.prepare(`
    DELETE FROM history WHERE seq IN (
      SELECT seq FROM history WHERE conversation = ? AND time <= ? ORDER BY time LIMIT ${stepRows})
    RETURNING ${indexedColumns}`)
  const removeEvents = db.prepare(`
    DELETE FROM history_events WHERE (conversation, time, id) IN (
      SELECT conversation, time, id FROM history_events WHERE conversation = ? AND time <= ? ORDER BY time LIMIT ${stepRows})`)
  const anyLeft = db.prepare('SELECT 1 FROM history WHERE conversation = ? LIMIT 1')
  const part = db.prepare('DELETE FROM correspondents WHERE party = ? AND conversation = ?')

  function removed(conversation: string, until: number): number {
    const rows = removeMessages.all(conversation, until) as unknown as Indexed[]
    index.forgetGone(rows)
    if (rows.length > 0 && anyLeft.get(conversation) === undefined)
      for (const party of conversation.split(' ')) part.run(party, conversation)
    return rows.length
  }

  return ({ now, keep }) => {
    const oldest = keep.days === undefined ? -1 : now - keep.days * dayMs
    const until = ({ edge }: Cursor, conversation: string) => {
      const most = conversation.includes(' ') ? keep.directMessages : keep.channelMessages
      return most === undefined
        ? oldest
        : Math.max(oldest, Number(edge.get(conversation, most)?.['time'] ?? -1))
    }
    const most = Math.max(keep.directMessages ?? 1, keep.channelMessages ?? 1)
    const isMore = walk(messages, most, (name) => removed(name, until(messages, name)))
    return walk(events, most, (name) => Number(removeEvents.run(name, until(events, name)).changes)) || isMore
  }
}

interface Cursor {
  /** The name after one. */
  readonly next: StatementSync
  /** The newest row beyond so many. */
  readonly edge: StatementSync
  at: string
}

function cursor(db: DatabaseSync, table: 'history' | 'history_events'): Cursor {
  return {
    next: db.prepare(`SELECT min(conversation) AS name FROM ${table} WHERE conversation > ?`),
    edge: db.prepare(`SELECT time FROM ${table} WHERE conversation = ? ORDER BY time DESC LIMIT 1 OFFSET ?`),
    at: '',
  }
}

/** Some names further; true where a conversation has more to lose. */
function walk(place: Cursor, most: number, lose: (name: string) => number): boolean {
  // To find where the oldest begin, as many rows as are kept are walked over.
  const visits = Math.min(mostVisits, Math.max(1, Math.floor(walkedRows / most)))
  for (let i = 0; i < visits; i++) {
    const name = place.next.get(place.at)?.['name']
    if (typeof name !== 'string') {
      place.at = ''
      return false
    }
    if (lose(name) >= stepRows) return true
    place.at = name
  }
  return false
}

const dayMs = 24 * 60 * 60 * 1_000
const stepRows = 200
const mostVisits = 64
const walkedRows = 200_000
