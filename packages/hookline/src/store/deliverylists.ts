// Lists of deliveries, without their bodies, and what a row of the table says.
import type { DatabaseSync } from 'node:sqlite'
import { IS_OF_BEFORE } from './botstate.ts'
import type { DeliveryRecord, ListQuery, PendingRow } from './deliveryrows.ts'
import type { Reads, Table } from './operations.ts'
import { statements } from './rows.ts'

export function deliveryLists(db: DatabaseSync) {
  const rowsOf = statements(db)
  const last = rowsOf<StoredRecord>(
    `SELECT ${COLUMNS} FROM deliveries WHERE seq < ? ORDER BY seq DESC LIMIT ?`,
  )
  const lastOf = rowsOf<StoredRecord>(
    `SELECT ${COLUMNS} FROM deliveries WHERE bot = ? AND seq < ? ORDER BY seq DESC LIMIT ?`,
  )
  const failed = rowsOf<StoredRecord>(`
    SELECT ${COLUMNS} FROM deliveries WHERE status = 'failed' AND ${UNHAPPY} AND seq < ? ORDER BY seq DESC LIMIT ?`)
  const failedOf = rowsOf<StoredRecord>(`
    SELECT ${COLUMNS} FROM deliveries WHERE status = 'failed' AND ${UNHAPPY} AND bot = ? AND seq < ? ORDER BY seq DESC LIMIT ?`)
  const place = rowsOf<{ seq: number }>('SELECT seq FROM deliveries WHERE id = ?')
  const placeAt = rowsOf<{ seq: number }>(`
    SELECT seq FROM deliveries WHERE received_at >= ? ORDER BY received_at, seq LIMIT 1`)
  const unfinished = rowsOf<Omit<PendingRow, 'isOfBefore'> & { isOfBefore: number }>(`
    SELECT id, bot, received_at AS receivedAt, ${IS_OF_BEFORE} AS isOfBefore
    FROM deliveries WHERE status = 'pending' AND ${UNHAPPY} ORDER BY seq`)

  function endOf(before: ListQuery['before']): number {
    if (before === undefined) return Number.MAX_SAFE_INTEGER
    const row = typeof before === 'string' ? place.get(before) : placeAt.get(before)
    return row?.seq ?? Number.MAX_SAFE_INTEGER
  }

  return {
    list: ({ bot, failed: onlyFailed = false, before, limit }) => {
      const most = Math.max(0, Math.min(Math.trunc(limit), 1_000))
      const end = endOf(before)
      const rows =
        bot === undefined
          ? (onlyFailed ? failed : last).all(end, most)
          : (onlyFailed ? failedOf : lastOf).all(bot, end, most)
      return rows.reverse().map(recordOf)
    },
    pending: () => unfinished.all().map((row) => ({ ...row, isOfBefore: row.isOfBefore === 1 })),
  } satisfies Partial<Table<Reads>>
}

/** The condition of the index `deliveries_unhappy`, word for word: SQLite uses a partial index only for a query that implies it. */
const UNHAPPY = "status IN ('pending', 'failed')"

export const COLUMNS = `
  id, bot, received_at AS receivedAt, finished_at AS finishedAt, status, event, channels, text, error, attempts,
  composed_by AS composedBy, unresolved, reason, woken`

export interface StoredRecord extends Omit<DeliveryRecord, 'channels' | 'unresolved' | 'woken'> {
  readonly channels: string
  readonly unresolved: string | null
  readonly woken: string | null
}

/** Without what else the query of the row asked for. */
export function recordOf(row: StoredRecord): DeliveryRecord {
  const { id, bot, receivedAt, finishedAt, status, event, text, error, attempts, composedBy, reason } = row
  return {
    id,
    bot,
    receivedAt,
    finishedAt,
    status,
    event,
    channels: read(row.channels, []),
    text,
    error,
    attempts,
    composedBy,
    unresolved: read(row.unresolved, []),
    reason,
    woken: read(row.woken, []),
  }
}

export function read<T>(json: string | null, none: T): T {
  return json === null ? none : (JSON.parse(json) as T)
}
