// Pages of history: a part of a conversation, by time or by message, from either end.
import type { DatabaseSync } from 'node:sqlite'
import { timeOfId } from './ids.ts'
import { COLUMNS, rowOf, type StoredRow } from './historycolumns.ts'
import type { Anchor, EventRow, PageQuery, PastRow, Sight } from './historyrows.ts'
import { type Rows, statements } from './rows.ts'

/** `history_by_time` gives both directions without sorting; within a conversation no two messages have the same time. */
export function pages(db: DatabaseSync): (query: PageQuery) => readonly PastRow[] | undefined {
  const rowsOf = statements(db)
  const messages = bothWays<StoredRow>(db, messagesSql)
  const events = bothWays<StoredEvent>(db, eventsSql)
  const timeOf = rowsOf<{ time: number }>('SELECT time FROM history WHERE id = ? AND conversation = ?')
  // The time in an id is the clock's; the entry's may be a little ahead of it.
  const timeOfEvent = rowsOf<{ time: number }>(`
    SELECT time FROM history_events WHERE conversation = ?1 AND time BETWEEN ?2 AND ?2 + ${MOST_AHEAD_MS} AND id = ?3`)
  // One whose id is of a time that has not come, because the clock was ahead. No index finds it.
  const timeOfMended = rowsOf<{ time: number }>(`
    SELECT time FROM history_events WHERE conversation = ?1 AND id = ?3
      AND ?2 > (SELECT max(time) FROM history_events WHERE conversation = ?1)`)

  function find(anchor: Anchor, sights: readonly Sight[]): number | undefined {
    if (!('id' in anchor)) return anchor.time
    for (const { conversation } of sights) {
      const asEvent = [conversation, anchor.time ?? 0, anchor.id] as const
      const row =
        timeOf.get(anchor.id, conversation) ?? timeOfEvent.get(...asEvent) ?? timeOfMended.get(...asEvent)
      if (row !== undefined) return row.time
    }
    return anchor.time
  }

  function read({ sights, isWithEvents }: PageQuery, { order, after, before, limit }: Stretch): PastRow[] {
    const found: PastRow[] = []
    for (const sight of sights) {
      const facts = { ...visible(sight), after: Math.max(after, earliest(sight)), before, limit }
      const tagmsg = isWithEvents ? '' : 'TAGMSG'
      for (const row of messages[order].all({ ...facts, ...ranked(sight), tagmsg })) found.push(rowOf(row))
      if (!isWithEvents) continue
      for (const row of events[order].all(facts)) found.push(eventOf(row))
    }
    if (sights.length > 1 || isWithEvents) found.sort(order === 'ASC' ? byTime : (a, b) => byTime(b, a))
    found.length = Math.min(found.length, limit)
    return order === 'ASC' ? found : found.reverse()
  }

  return (query) => {
    const { cut, limit, sights } = query
    switch (cut.kind) {
      case 'newest':
      case 'oldest': {
        const after = cut.after === undefined ? EARLIEST : find(cut.after, sights)
        const before = cut.before === undefined ? LATEST : find(cut.before, sights)
        if (after === undefined || before === undefined) return undefined
        return read(query, { order: cut.kind === 'oldest' ? 'ASC' : 'DESC', after, before, limit })
      }
      case 'between': {
        const first = find(cut.first, sights)
        const second = find(cut.second, sights)
        if (first === undefined || second === undefined) return undefined
        return first <= second
          ? read(query, { order: 'ASC', after: first, before: second, limit })
          : read(query, { order: 'DESC', after: second, before: first, limit })
      }
      case 'around': {
        const middle = find(cut.middle, sights)
        if (middle === undefined) return undefined
        const half = Math.floor(limit / 2)
        const before = read(query, { order: 'DESC', after: EARLIEST, before: middle, limit: half })
        const rest = { after: middle - 1, before: LATEST, limit: limit - before.length }
        return [...before, ...read(query, { order: 'ASC', ...rest })]
      }
    }
  }
}

interface Stretch {
  readonly order: Order
  /** Exclusive. */
  readonly after: number
  readonly before: number
  readonly limit: number
}

type Order = 'ASC' | 'DESC'
const EARLIEST = -1
const LATEST = Number.MAX_SAFE_INTEGER
/** To get one second ahead takes thousands of messages in one channel within a second. */
const MOST_AHEAD_MS = 60_000

function bothWays<Row>(db: DatabaseSync, sql: (order: Order) => string): Record<Order, Rows<Row>> {
  const rowsOf = statements(db)
  return { ASC: rowsOf(sql('ASC')), DESC: rowsOf(sql('DESC')) }
}

export function messagesSql(order: Order): string {
  return `
    SELECT ${COLUMNS} FROM history
    WHERE conversation = :conversation AND time > :after AND time < :before AND command <> :tagmsg
      AND ${heardSql(':')}
    ORDER BY time ${order}, seq ${order} LIMIT :limit`
}

/**
 * Which rows of `history` a reader may have heard; `sight` is the prefix of the names from `visible` and `ranked`. `rank` is
 * qualified, because a full-text index has a hidden column of that name.
 */
export function heardSql(sight: ':' | 'sight.'): string {
  return `redacted IS NULL AND (closed IS NULL OR closed = ${sight}incarnation)
      AND (history.rank IS NULL OR (instr(${sight}ranks, history.rank) > 0 AND history.time >= ${sight}rankedSince))
      AND id > ${sight}since`
}

function eventsSql(order: Order): string {
  return `
    SELECT id, time, command, conversation, target, mask, account, is_bot AS isBot, params FROM history_events
    WHERE conversation = :conversation AND time > :after AND time < :before
      AND (closed IS NULL OR closed = :incarnation) AND id > :since
    ORDER BY time ${order}, id ${order} LIMIT :limit`
}

export function visible({ conversation, incarnation = -1, since = '' }: Sight) {
  return { conversation, incarnation, since }
}

/** For messages only. */
export function ranked({ ranks = '', rankedSince = 0 }: Sight) {
  return { ranks, rankedSince }
}

/** The time just before all that this reader may see. An id alone does not tell: it may have been made while the clock was ahead. */
export function earliest({ notBefore = 0, since = '' }: Pick<Sight, 'notBefore' | 'since'>): number {
  return Math.max(notBefore, timeOfId(since) ?? 0) - 1
}

interface StoredEvent extends Omit<EventRow, 'isBot' | 'params'> {
  readonly isBot: number
  readonly params: string
}

function eventOf({ isBot, params, ...row }: StoredEvent): EventRow {
  return { ...row, isBot: isBot === 1, params: JSON.parse(params) as string[] }
}

function byTime(one: PastRow, other: PastRow): number {
  return one.time - other.time || (one.id < other.id ? -1 : 1)
}
