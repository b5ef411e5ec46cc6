// Deletes history for good on request: whole conversations, or everything an account said.
import type { DatabaseSync } from 'node:sqlite'
import { emptied } from './emptyconversations.ts'
import { overwriting } from './overwriting.ts'
import { statements } from './rows.ts'
import { type Indexed, INDEXED_COLUMNS, type SearchIndex } from './search.ts'

export interface Erasure {
  /** All of these. */
  readonly conversations: readonly string[]
  /** Folded: everything that it said or did, wherever. */
  readonly account: string | undefined
  /** Where the last step ended. */
  readonly from: number
}

export interface Erased {
  readonly messages: number
  /** Where the next step begins; undefined: it is done. */
  readonly next: number | undefined
}

/** One step: up to 500 rows of a conversation, or a scan of 20,000 for an account, which no index finds. */
export function eraser(db: DatabaseSync, index: SearchIndex): (erasure: Erasure) => Erased {
  const rowsOf = statements(db)
  db.function('folded', { deterministic: true }, (name) => (typeof name === 'string' ? folded(name) : null))
  const lost = `RETURNING ${INDEXED_COLUMNS}`
  const inConversation = rowsOf<Indexed>(`
    DELETE FROM history WHERE seq IN (SELECT seq FROM history WHERE conversation = ? LIMIT ${STEP_ROWS}) ${lost}`)
  const events = db.prepare('DELETE FROM history_events WHERE conversation = ?')
  const threads = db.prepare('DELETE FROM threads WHERE channel = ?')
  const forgetEmptied = emptied(db, index)
  const ofAccount = rowsOf<Indexed>(
    `DELETE FROM history WHERE seq > ?1 AND seq <= ?1 + ${STEP_SEQS} AND folded(account) = ?2 ${lost}`,
  )
  const eventsOfAccount = db.prepare('DELETE FROM history_events WHERE folded(account) = ?')
  const last = rowsOf<{ seq: number | null }>('SELECT max(seq) AS seq FROM history')

  function gone(rows: readonly Indexed[]): number {
    index.forgetGone(rows)
    return rows.length
  }

  function eraseConversations(conversations: readonly string[]): Erased {
    for (const conversation of conversations) {
      const messages = gone(inConversation.all(conversation))
      if (messages > 0) return { messages, next: 0 }
      events.run(conversation)
      threads.run(conversation)
    }
    forgetEmptied(conversations)
    return { messages: 0, next: undefined }
  }

  function eraseAccount(account: string, from: number): Erased {
    const name = folded(account)
    if (from === 0) eventsOfAccount.run(name)
    const rows = ofAccount.all(from, name)
    const messages = gone(rows)
    forgetEmptied(new Set(rows.map(({ conversation }) => conversation)))
    const next = from + STEP_SEQS
    return { messages, next: next < (last.get()?.seq ?? 0) ? next : undefined }
  }

  return ({ conversations, account, from }) =>
    overwriting(db, () =>
      account === undefined ? eraseConversations(conversations) : eraseAccount(account, from),
    )
}

/** Folds the case of an account's name in any script; SQLite's own `lower` handles ASCII only. */
function folded(name: string): string {
  return name.normalize('NFKC').toLowerCase().normalize('NFC')
}

const STEP_ROWS = 500
const STEP_SEQS = 20_000
