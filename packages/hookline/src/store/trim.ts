// Trims old history: each conversation keeps so many messages, and nothing is kept longer than so many days.
import type { DatabaseSync } from 'node:sqlite'
import { emptied } from './emptyconversations.ts'
import type { Count, Removed } from './removed.ts'
import type { HistoryRetention } from './retentionlimits.ts'
import { type Rows, statements } from './rows.ts'
import { type Indexed, INDEXED_COLUMNS, type SearchIndex } from './search.ts'
import { ageLimit, DAY_MS, type Passed } from './trustedclock.ts'

/**
 * Takes one step and says whether there is more to do at once. Steps go from conversation to conversation by name and start over
 * at the end, so that each has its turn within minutes, or hours where there are a hundred thousand. Finding the edge walks over
 * as many rows as are kept: at most 16,000 of each table in a step.
 */
export function trimmer(
  db: DatabaseSync,
  index: SearchIndex,
  count: Count = () => {},
): (asked: { readonly passed: Passed; readonly keep: HistoryRetention }) => boolean {
  const rowsOf = statements(db)
  const messages = cursor(db, 'history')
  const events = cursor(db, 'history_events')
  const removeMessages = rowsOf<Indexed>(`
    DELETE FROM history WHERE seq IN (
      SELECT seq FROM history WHERE conversation = ? AND time <= ? ORDER BY time LIMIT ${STEP_MESSAGES})
    RETURNING ${INDEXED_COLUMNS}`)
  const removeEvents = db.prepare(`
    DELETE FROM history_events WHERE (conversation, time, id) IN (
      SELECT conversation, time, id FROM history_events WHERE conversation = ? AND time <= ? ORDER BY time LIMIT ${STEP_EVENTS})`)
  const forgetEmptied = emptied(db, index)

  function loseMessages(conversation: string, until: number, why: keyof Removed): boolean {
    const rows = removeMessages.all(conversation, until)
    count(why, rows.length)
    index.forgetGone(rows)
    if (rows.length > 0) forgetEmptied([conversation])
    return rows.length === STEP_MESSAGES
  }

  function loseEvents(conversation: string, until: number, why: keyof Removed): boolean {
    const { changes } = removeEvents.run(conversation, until)
    count(why, Number(changes))
    return changes === STEP_EVENTS
  }

  return ({ passed, keep }) => {
    const oldest = keep.days === undefined ? -1 : ageLimit(passed, keep.days * DAY_MS)
    const most = (name: string) => (name.includes(' ') ? keep.directMessages : keep.channelMessages)
    const isMore = walk(messages, most, (name, edge) =>
      loseMessages(name, Math.max(oldest, edge), edge > oldest ? 'messagesBeyondNumber' : 'messagesTooOld'),
    )
    const isMoreOfEvents = walk(events, most, (name, edge) =>
      loseEvents(name, Math.max(oldest, edge), edge > oldest ? 'eventsBeyondNumber' : 'eventsTooOld'),
    )
    return isMoreOfEvents || isMore
  }
}

interface Cursor {
  /** The name after one. */
  readonly next: Rows<{ name: string | null }>
  /** The newest row before a time, after skipping so many. */
  readonly beyond: Rows<{ time: number }>
  /** The last that had its turn. */
  at: string
  /** The one whose turn it is. */
  turn: Turn | undefined
}

interface Turn {
  readonly name: string
  /** Time of the last row that was walked over. */
  before: number
  /** Rows still to be walked over. */
  left: number
  /** Rows up to this time are too many; below 0: none are; undefined: not found yet. */
  edge: number | undefined
}

function cursor(db: DatabaseSync, table: 'history' | 'history_events'): Cursor {
  const rowsOf = statements(db)
  return {
    next: rowsOf(`SELECT min(conversation) AS name FROM ${table} WHERE conversation > ?`),
    beyond: rowsOf(`
      SELECT time FROM ${table} WHERE conversation = ? AND time < ? ORDER BY time DESC LIMIT 1 OFFSET ?`),
    at: '',
    turn: undefined,
  }
}

type Most = (conversation: string) => number | undefined

/** Moves on by some conversations; true while one is unfinished. */
function walk(place: Cursor, most: Most, lose: (name: string, edge: number) => boolean): boolean {
  for (let look = 0; look < LOOKS; look++) {
    place.turn ??= nextTurn(place, most)
    if (!place.turn) {
      place.at = ''
      return false
    }
    const { name } = place.turn
    const edge = (place.turn.edge ??= edgeOf(place, place.turn))
    if (edge === undefined) continue
    if (lose(name, edge)) return true
    place.at = name
    place.turn = undefined
  }
  return place.turn !== undefined
}

function nextTurn({ next, at }: Cursor, most: Most): Turn | undefined {
  const name = next.get(at)?.name ?? undefined
  if (name === undefined) return undefined
  const left = most(name)
  const edge = left === undefined ? -1 : undefined
  return { name, before: Number.MAX_SAFE_INTEGER, left: left ?? 0, edge }
}

/** Undefined: not found yet. */
function edgeOf({ beyond }: Cursor, turn: Turn): number | undefined {
  const rows = Math.min(turn.left, LOOK_ROWS)
  const time = beyond.get(turn.name, turn.before, rows)?.time
  if (time === undefined) return -1
  if (rows === turn.left) return time
  // Other rows of that millisecond are not counted, so a few more may be kept.
  turn.before = time
  turn.left -= rows + 1
  return undefined
}

/** Removing the words of one from the index takes a third of a millisecond. */
const STEP_MESSAGES = 20
const STEP_EVENTS = 200
const LOOKS = 64
const LOOK_ROWS = 250
