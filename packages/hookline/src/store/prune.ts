// Removes old deliveries.
import type { DatabaseSync } from 'node:sqlite'
import type { BodyBytes } from './bodybytes.ts'
import { botsOf } from './botsof.ts'
import type { Packs } from './packs.ts'
import type { Count, Removed } from './removed.ts'
import type { Retention } from './retentionlimits.ts'
import { statements } from './rows.ts'
import { ageLimit, type Passed } from './trustedclock.ts'
import { inTurn } from './roundrobin.ts'

/**
 * Takes one step of at most 200 rows (of each of a few bots) and says whether there may be more. Posted and skipped deliveries are
 * deleted when too old. Those beyond the bot's newest, and the oldest while all bodies and texts together are too large, lose body, text and headers;
 * the row stays if it has a key to recognise a repeat by. Failed ones stay whole for their own time, and pending ones, which were promised,
 * until they have an outcome.
 */
export function pruner(
  db: DatabaseSync,
  { size, packs, count = () => {} }: { size: BodyBytes; packs: Packs; count?: Count },
): (asked: Asked) => boolean {
  const rowsOf = statements(db)
  const bots = botsOf(db, 'deliveries')
  const edge = rowsOf<{ seq: number }>(`
    SELECT seq FROM deliveries WHERE bot = ? AND ${IS_WHOLE} ORDER BY seq DESC LIMIT 1 OFFSET ?`)
  const oldestOf = rowsOf<Old>(`
    SELECT seq, key, pack, ${SIZES} FROM deliveries WHERE bot = ? AND ${IS_WHOLE} AND seq <= ? ORDER BY seq LIMIT ?`)
  const next = rowsOf<Old & { bot: string }>(`
    SELECT bot, seq, key, pack, ${SIZES} FROM deliveries WHERE bot = ? AND ${IS_WHOLE} AND seq > ? ORDER BY seq LIMIT 1`)
  const strip = db.prepare(
    'UPDATE deliveries SET body = NULL, pack = NULL, text = NULL, headers = NULL WHERE seq = ?',
  )
  const remove = db.prepare('DELETE FROM deliveries WHERE seq = ?')
  const finished = rowsOf<Body & { received_at: number }>(`
    DELETE FROM deliveries WHERE seq IN (
      SELECT seq FROM deliveries WHERE received_at >= ? AND received_at < ? AND status IN ('posted', 'skipped')
      ORDER BY received_at LIMIT ?)
    RETURNING received_at, pack, ${SIZES}`)
  const any = rowsOf<Body>(`
    DELETE FROM deliveries WHERE seq IN (
      SELECT seq FROM deliveries WHERE received_at < ? AND status <> 'pending' LIMIT ?)
    RETURNING pack, ${SIZES}`)

  /** The bots whose turn is still to come. */
  let waiting: string[] = []
  /** What is left from before this has failed or is pending, or was replayed since and stays as long. */
  let unhappyBefore = 0
  /** The same, unless the last step is rolled back. */
  let removedBefore = 0

  function release({ pack, bytes, texts }: Body): void {
    size.add(-bytes, -texts)
    packs.release(pack)
  }

  function gone(rows: readonly Body[]): boolean {
    rows.forEach(release)
    count('deliveriesTooOld', rows.length)
    return rows.length >= STEP_ROWS
  }

  function lose(old: Old, why: keyof Removed): void {
    if (old.key === null) remove.run(old.seq)
    else strip.run(old.seq)
    release(old)
    count(why, 1)
  }

  /** Strips all but the bot's newest `most`, oldest first. */
  function shorten(bot: string, most: number): boolean {
    const seq = edge.get(bot, most)?.seq
    if (seq === undefined) return false
    const rows = oldestOf.all(bot, seq, STEP_ROWS)
    for (const row of rows) lose(row, 'bodiesBeyondNumber')
    return rows.length >= STEP_ROWS
  }

  /** Finding the edge walks over every row that is kept of a bot, so a step takes only a few bots. */
  function shortenSome(most: number): boolean {
    if (waiting.length === 0) waiting = [...bots()]
    for (const bot of waiting.slice(0, STEP_BOTS)) {
      if (shorten(bot, most)) return true
      waiting.shift()
    }
    return waiting.length > 0
  }

  /** Strips the oldest of all bots first, until the rest is small enough. */
  function shrink(most: number): boolean {
    if (size.total <= most) return false
    const heads = bots().flatMap((bot) => next.all(bot, 0))
    for (let i = 0; i < STEP_ROWS && heads.length > 0; i++) {
      const oldest = heads.reduce((one, other) => (other.seq < one.seq ? other : one))
      lose(oldest, 'bodiesBeyondBytes')
      if (size.total <= most) return false
      heads.splice(heads.indexOf(oldest), 1, ...next.all(oldest.bot, oldest.seq))
    }
    return heads.length > 0
  }

  return inTurn<Asked>([
    ({ passed, keep }) =>
      gone(any.all(ageLimit(passed, Math.max(keep.unhappyMs, keep.finishedMs)), STEP_ROWS)),
    ({ passed, keep }) => {
      const old = ageLimit(passed, keep.finishedMs)
      const rows = finished.all(unhappyBefore, old, STEP_ROWS)
      if (rows.every((row) => row.received_at >= removedBefore)) unhappyBefore = Math.min(removedBefore, old)
      removedBefore = old
      return gone(rows)
    },
    ({ keep }) => shortenSome(keep.bodiesPerBot),
    ({ keep }) => shrink(keep.bodyBytes),
  ])
}

/** The condition of the index `deliveries_with_body`, word for word, as SQLite needs it. */
const IS_WHOLE = "body IS NOT NULL AND status IN ('posted', 'skipped')"

const SIZES = 'coalesce(length(body), 0) AS bytes, coalesce(octet_length(text), 0) AS texts'

interface Asked {
  readonly passed: Passed
  readonly keep: Retention
}
interface Body {
  readonly pack: number | null
  /** Stored in the row itself. */
  readonly bytes: number
  readonly texts: number
}
interface Old extends Body {
  readonly seq: number
  readonly key: string | null
}

const STEP_ROWS = 200
const STEP_BOTS = 8
