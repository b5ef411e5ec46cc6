// With whom somebody has talked, and where, by the time of the latest message.
import type { DatabaseSync } from 'node:sqlite'
import { earliest, messagesSql, visible } from './pages.ts'
import type { Sight, TargetRow, TargetsQuery } from './rows.ts'

/** One look into `history_by_time` for each channel and each correspondent. */
export function targets(db: DatabaseSync): (query: TargetsQuery) => readonly TargetRow[] {
  const correspondents = db.prepare('SELECT conversation FROM correspondents WHERE party = ?')
  const latest = db.prepare(messagesSql('time', 'DESC'))

  function latestOf(sight: Sight): number | undefined {
    const facts = { after: earliest(sight), before: Number.MAX_SAFE_INTEGER, limit: 1, tagmsg: 'TAGMSG' }
    const row = latest.get({ ...visible(sight), ...facts, ranks: sight.ranks ?? '' })
    return row && Number(row['time'])
  }

  return ({ channels, party, since, notBefore, first, second, limit }) => {
    const isForwards = first <= second
    const [after, before] = isForwards ? [first, second] : [second, first]
    const direct = correspondents
      .all(party)
      .map((row): Sight => ({ conversation: String(row['conversation']), since, notBefore }))
    const found: TargetRow[] = []
    for (const sight of [...channels, ...direct]) {
      const time = latestOf(sight)
      if (time !== undefined && time > after && time < before)
        found.push({ conversation: sight.conversation, time })
    }
    found.sort((one, other) => one.time - other.time)
    return isForwards ? found.slice(0, limit) : found.slice(-limit)
  }
}
