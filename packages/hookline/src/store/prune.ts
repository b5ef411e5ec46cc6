// What happens to old deliveries.
import type { DatabaseSync } from 'node:sqlite'
import type { BodyBytes } from './bodybytes.ts'
import { botsOf } from './botsof.ts'
import type { Retention } from './retention.ts'

/**
 * Takes one step of at most 200 rows and says whether there may be more. Posted and skipped deliveries lose body and
 * text when they are too old, behind the bot's newest, or the oldest while all bodies together are too large; their
 * row stays where a repeat could still be recognised by it. Failed and pending ones stay whole for their own time.
 */
export function pruner(
  db: DatabaseSync,
  bodies: BodyBytes,
): (asked: { readonly now: number; readonly keep: Retention }) => boolean {
  const bots = botsOf(db, 'deliveries')
  const edge = db.prepare(`
    SELECT seq FROM deliveries WHERE bot = ? AND body IS NOT NULL AND status IN ('posted', 'skipped')
    ORDER BY seq DESC LIMIT 1 OFFSET ?`)
  const oldestOf = db.prepare(`
    SELECT seq, key, length(body) AS bytes FROM deliveries
    WHERE bot = ? AND body IS NOT NULL AND status IN ('posted', 'skipped') AND seq <= ? ORDER BY seq LIMIT ?`)
  const oldest = db.prepare(`
    SELECT seq, key, length(body) AS bytes FROM deliveries
    WHERE body IS NOT NULL AND status IN ('posted', 'skipped') AND seq > ? ORDER BY seq LIMIT ?`)
  const strip = db.prepare('UPDATE deliveries SET body = NULL, text = NULL WHERE seq = ?')
  const remove = db.prepare('DELETE FROM deliveries WHERE seq = ?')
  const finished = db.prepare(`
    DELETE FROM deliveries WHERE seq IN (
      SELECT seq FROM deliveries WHERE received_at < ? AND status IN ('posted', 'skipped') LIMIT ?)
    RETURNING coalesce(length(body), 0) AS bytes`)
  const any = db.prepare(`
    DELETE FROM deliveries WHERE seq IN (SELECT seq FROM deliveries WHERE received_at < ? LIMIT ?)
    RETURNING coalesce(length(body), 0) AS bytes`)

  /** Up to this row they have no body any more, but for what was replayed since: the next look begins behind it. */
  let bare = 0

  function gone(rows: readonly Sized[]): boolean {
    for (const { bytes } of rows) bodies.add(-bytes)
    return rows.length >= stepRows
  }

  function lose({ seq, key, bytes }: Old): void {
    if (key === null) remove.run(seq)
    else strip.run(seq)
    bodies.add(-bytes)
  }

  /** Up to `edge`, oldest first. */
  function shorten(bot: string, edge: number): boolean {
    const rows = oldestOf.all(bot, edge, stepRows) as unknown as Old[]
    rows.forEach(lose)
    return rows.length >= stepRows
  }

  /** Oldest first, until the rest is small enough. */
  function shrink(most: number): boolean {
    if (bodies.total <= most) return false
    const rows = oldest.all(bare, stepRows) as unknown as Old[]
    for (const row of rows) {
      if (bodies.total <= most) return false
      bare = row.seq
      lose(row)
    }
    if (rows.length < stepRows) bare = 0
    return rows.length >= stepRows
  }

  return ({ now, keep }) => {
    if (gone(sized(any.all(now - keep.unhappyMs, stepRows)))) return true
    if (gone(sized(finished.all(now - keep.finishedMs, stepRows)))) return true
    for (const bot of bots()) {
      const seq = edge.get(bot, keep.bodiesPerBot)?.['seq']
      if (seq !== undefined && shorten(bot, Number(seq))) return true
    }
    return shrink(keep.bodyBytes)
  }
}

interface Sized {
  readonly bytes: number
}
interface Old extends Sized {
  readonly seq: number
  readonly key: string | null
}

const stepRows = 200

function sized(rows: unknown): readonly Sized[] {
  return rows as readonly Sized[]
}
