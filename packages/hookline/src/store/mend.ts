// Pulls back what was stamped while the clock was wrong and ahead.
import type { DatabaseSync } from 'node:sqlite'
import { statements } from './rows.ts'

export interface Mending {
  /** The clock is right since then. */
  readonly since: number
  /** What has a later time was stamped by the wrong clock. There is room before it for what was said since. */
  readonly after: number
}

/**
 * Messages and events keep their order and, as far as there is room after what was said before, their distances: the last one of all gets
 * a time just before `since`. Ends of tokens, suspensions and bans keep their distance from when they were made. One step, which is rarely needed: it looks at
 * each conversation once. Returns how many messages and events it moved.
 */
export function mender(db: DatabaseSync): (mending: Mending) => number {
  const rowsOf = statements(db)
  const conversationsOf = rowsOf<{ name: string }>(`
    WITH RECURSIVE names (name) AS (
      SELECT min(name) FROM (${['history', 'history_events'].map((table) => nextSql(table, "''")).join(' UNION ALL ')})
      UNION ALL
      SELECT (SELECT min(name) FROM (${['history', 'history_events'].map((table) => nextSql(table, 'names.name')).join(' UNION ALL ')}))
      FROM names WHERE names.name IS NOT NULL)
    SELECT name FROM names WHERE name IS NOT NULL AND (
      EXISTS (SELECT 1 FROM history WHERE conversation = name AND time > ?1)
      OR EXISTS (SELECT 1 FROM history_events WHERE conversation = name AND time > ?1))`)
  const ahead = rowsOf<Ahead>(`
    SELECT seq, id, time FROM history WHERE conversation = ?1 AND time > ?2
    UNION ALL SELECT NULL, id, time FROM history_events WHERE conversation = ?1 AND time > ?2
    ORDER BY time, seq, id`)
  const lastBefore = rowsOf<{ time: number | null }>(`
    SELECT max(time) AS time FROM (
      SELECT max(time) AS time FROM history WHERE conversation = ?1 AND time < ?2
      UNION ALL SELECT max(time) FROM history_events WHERE conversation = ?1 AND time < ?2)`)
  const moveMessage = db.prepare('UPDATE history SET time = ? WHERE seq = ?')
  const moveEvent = db.prepare(
    'UPDATE history_events SET time = ?1 WHERE conversation = ?2 AND time = ?3 AND id = ?4',
  )
  const others = OTHERS.map((sql) => db.prepare(sql))

  function moveIn(conversation: string, rows: readonly Ahead[], since: number, shift: number): void {
    let last = lastBefore.get(conversation, since)?.time ?? 0
    for (const { seq, id, time } of rows) {
      last = Math.max(last + 1, time - shift)
      if (seq === null) moveEvent.run(last, conversation, time, id)
      else moveMessage.run(last, seq)
    }
  }

  return ({ since, after }) => {
    const to = since - 1
    const found = conversationsOf.all(after).map(({ name }) => ({ name, rows: ahead.all(name, after) }))
    const newest = Math.max(to, ...found.map(({ rows }) => rows.at(-1)?.time ?? 0))
    for (const { name, rows } of found) moveIn(name, rows, since, newest - to)
    for (const other of others) other.run({ after, to })
    return found.reduce((sum, { rows }) => sum + rows.length, 0)
  }
}

/** Through the index, from name to name. */
function nextSql(table: string, name: string): string {
  return `SELECT min(conversation) AS name FROM ${table} WHERE conversation > ${name}`
}

/** The newest deliveries are looked at for ends that are ahead although they came before the leap. */
const OTHERS = [
  'UPDATE deliveries SET received_at = :to WHERE received_at > :after',
  `UPDATE deliveries SET finished_at = :to
    WHERE seq > (SELECT max(seq) FROM deliveries) - 10000 AND finished_at > :after`,
  'UPDATE threads SET time = :to WHERE time > :after',
  'UPDATE kept SET time = :to WHERE time > :after',
  'UPDATE accounts SET created_at = :to WHERE created_at > :after',
  `UPDATE accounts SET suspended = ${keepingItsEnd('suspended')} WHERE suspended ->> 'at' > :after`,
  `UPDATE records SET json = ${keepingItsEnd('json')} WHERE kind = 'ban' AND json ->> 'at' > :after`,
  `UPDATE account_tokens SET expires_at = expires_at - created_at + :to, created_at = :to WHERE created_at > :after`,
  'UPDATE account_tokens SET used_at = :to WHERE used_at > :after',
  'UPDATE account_certificates SET added_at = :to WHERE added_at > :after',
  `UPDATE bot_state SET json = json_set(json, '$.at', CAST(:to AS INTEGER)) WHERE bot GLOB '*:before' AND json ->> 'at' > :after`,
]

/** JSON with `at` and `until`, which is null or missing for what has no end. */
function keepingItsEnd(json: string): string {
  const to = 'CAST(:to AS INTEGER)'
  return `json_set(${json}, '$.at', ${to}, '$.until', ${json} ->> 'until' - (${json} ->> 'at') + ${to})`
}

interface Ahead {
  /** Null for an event. */
  readonly seq: number | null
  readonly id: string
  readonly time: number
}
