// A row of the history table as SQLite returns it.
import type { HistoryRow, Redaction } from './historyrows.ts'

export const COLUMNS = `
  id, time, command, conversation, target, nick AS "from", mask, account, is_bot AS isBot, text, tags, delivery,
  redacted, history.rank AS rank, closed`

export interface StoredRow extends Omit<HistoryRow, 'isBot' | 'redacted' | 'rank' | 'closed'> {
  readonly isBot: number
  readonly redacted: string | null
  readonly rank: string | null
  readonly closed: number | null
}

export function rowOf({ redacted, rank, closed, ...row }: StoredRow): HistoryRow {
  return {
    ...row,
    isBot: row.isBot === 1,
    ...(redacted === null ? {} : { redacted: JSON.parse(redacted) as Redaction }),
    ...(rank === null ? {} : { rank }),
    ...(closed === null ? {} : { closed }),
  }
}
