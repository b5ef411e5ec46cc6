// The threads table: the first message of each thread, by bot, channel and key.
import type { DatabaseSync } from 'node:sqlite'
import { botsOf } from './botsof.ts'
import type { Replies, Thread } from './deliveryrows.ts'
import type { HistoryRow, Renaming } from './historyrows.ts'
import type { Count } from './removed.ts'
import { statements } from './rows.ts'
import { ageLimit, type Passed } from './trustedclock.ts'
import { HISTORY, type HistoryValues } from './values.ts'

/**
 * The tags of a message that answers `first`. Both names: `+reply` is the ratified one, and clients that were written before
 * it know only the draft. https://ircv3.net/specs/client-tags/reply
 */
export function replyTags(first: string): readonly (readonly [string, string])[] {
  return [
    ['+draft/reply', first],
    ['+reply', first],
  ]
}

export interface ThreadsTable {
  /** Returns which of these messages are not the first of their thread. To be called in the transaction that records them. */
  readonly join: (said: readonly HistoryValues[], thread: Thread) => Replies
  /** The message can no longer be answered: the next one is the first. */
  readonly forget: (row: Pick<HistoryRow, 'id' | 'from' | 'conversation'>) => void
  /** All of a bot that was deleted. */
  readonly forgetBot: (bot: string) => void
  /** Of a channel that has another name now. */
  readonly rename: (renaming: Pick<Renaming, 'from' | 'to'>) => void
  /** Takes one step of at most 200 rows for each bot and says whether there may be more. */
  readonly prune: (passed: Passed) => boolean
}

export function threadsTable(db: DatabaseSync, count: Count = () => {}): ThreadsTable {
  const rowsOf = statements(db)
  const find = rowsOf<{ message: string }>(
    'SELECT message FROM threads WHERE bot = ? AND channel = ? AND key = ? AND time > ?',
  )
  const begin = db.prepare(`
    INSERT INTO threads (bot, channel, key, message, time) VALUES (?1, ?2, ?3, ?4, ?5)
    ON CONFLICT (bot, channel, key) DO UPDATE SET message = ?4, time = ?5`)
  const touch = db.prepare('UPDATE threads SET time = ? WHERE bot = ? AND channel = ? AND key = ?')
  const remove = db.prepare('DELETE FROM threads WHERE bot = ? AND channel = ? AND message = ?')
  const removeAll = db.prepare('DELETE FROM threads WHERE bot = ?')
  const move = db.prepare('UPDATE OR REPLACE threads SET channel = ? WHERE channel = ?')
  const bots = botsOf(db, 'threads')
  const edge = rowsOf<{ time: number }>(
    'SELECT time FROM threads WHERE bot = ? ORDER BY time DESC LIMIT 1 OFFSET ?',
  )
  const trim = db.prepare(`
    DELETE FROM threads WHERE bot = ?1 AND (channel, key) IN (
      SELECT channel, key FROM threads WHERE bot = ?1 AND time <= ?2 ORDER BY time LIMIT ?3)`)

  return {
    join: (said, { bot, key, messages }) => {
      const replies: Record<string, string> = {}
      for (const row of said) {
        const id = row[HISTORY.id]
        if (!messages.includes(id)) continue
        const time = row[HISTORY.time]
        const conversation = row[HISTORY.conversation]
        const first = find.get(bot, conversation, key, time - QUIET_MS)?.message
        if (first === undefined) begin.run(bot, conversation, key, id, time)
        else {
          touch.run(time, bot, conversation, key)
          replies[id] = first
        }
      }
      return replies
    },
    forget: ({ id, from, conversation }) => void remove.run(from, conversation, id),
    forgetBot: (bot) => void removeAll.run(bot),
    rename: ({ from, to }) => void move.run(to, from),
    prune: (passed) => {
      const quiet = ageLimit(passed, QUIET_MS)
      const full = bots().filter((bot) => {
        const beyond = edge.get(bot, MOST_PER_BOT)?.time ?? 0
        const { changes } = trim.run(bot, Math.max(beyond, quiet), STEP_ROWS)
        count(beyond > quiet ? 'threadsBeyondNumber' : 'threadsTooOld', Number(changes))
        return changes === STEP_ROWS
      })
      return full.length > 0
    },
  }
}

/** A thread that was quiet for this long has ended: the next message begins a new one. */
const QUIET_MS = 30 * 24 * 60 * 60 * 1_000
/** Beyond this, the threads that were quiet longest end too. */
const MOST_PER_BOT = 10_000
const STEP_ROWS = 200
