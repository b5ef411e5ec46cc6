// What happens to old deliveries.
import type { DatabaseSync } from 'node:sqlite'

/**
 * Takes one step of at most 200 rows and says whether there may be more. Posted and skipped deliveries lose body and
 * text after 7 days or behind the bot's newest 10,000; their row stays for 7 days where a repeat could still be
 * recognised by it. Failed and pending ones stay whole for 30 days.
 */
export function pruner(db: DatabaseSync, keep: Retention = retention): (now: number) => boolean {
  // From name to name through the index; DISTINCT would read all of it.
  const bots = db.prepare(`
    WITH RECURSIVE names (bot) AS (
      SELECT min(bot) FROM deliveries
      UNION ALL SELECT (SELECT min(bot) FROM deliveries WHERE bot > names.bot) FROM names WHERE bot IS NOT NULL)
    SELECT bot FROM names WHERE bot IS NOT NULL`)
  const edge = db.prepare(`
    SELECT seq FROM deliveries WHERE bot = ? AND body IS NOT NULL AND status IN ('posted', 'skipped')
    ORDER BY seq DESC LIMIT 1 OFFSET ?`)
  const forget = db.prepare(`
    DELETE FROM deliveries WHERE seq IN (
      SELECT seq FROM deliveries WHERE bot = ? AND body IS NOT NULL AND status IN ('posted', 'skipped')
      AND seq <= ? AND key IS NULL ORDER BY seq LIMIT ?)`)
  const strip = db.prepare(`
    UPDATE deliveries SET body = NULL, text = NULL WHERE seq IN (
      SELECT seq FROM deliveries WHERE bot = ? AND body IS NOT NULL AND status IN ('posted', 'skipped')
      AND seq <= ? ORDER BY seq LIMIT ?)`)
  const finished = db.prepare(`
    DELETE FROM deliveries WHERE seq IN (
      SELECT seq FROM deliveries WHERE received_at < ? AND status IN ('posted', 'skipped') LIMIT ?)`)
  const any = db.prepare(`
    DELETE FROM deliveries WHERE seq IN (SELECT seq FROM deliveries WHERE received_at < ? LIMIT ?)`)

  return (now) => {
    if (full(any.run(now - keep.unhappyMs, stepRows).changes)) return true
    if (full(finished.run(now - keep.finishedMs, stepRows).changes)) return true
    for (const { bot } of bots.all()) {
      const seq = edge.get(String(bot), keep.bodiesPerBot)?.['seq']
      if (seq === undefined) continue
      if (full(forget.run(String(bot), seq, stepRows).changes)) return true
      if (full(strip.run(String(bot), seq, stepRows).changes)) return true
    }
    return false
  }
}

export interface Retention {
  readonly finishedMs: number
  readonly unhappyMs: number
  readonly bodiesPerBot: number
}

const day = 24 * 60 * 60 * 1_000
const retention: Retention = { finishedMs: 7 * day, unhappyMs: 30 * day, bodiesPerBot: 10_000 }
const stepRows = 200

function full(changes: number | bigint): boolean {
  return Number(changes) >= stepRows
}
