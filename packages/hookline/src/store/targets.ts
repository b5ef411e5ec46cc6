// Whom somebody has talked with, and where, by the time of the latest message.
import type { DatabaseSync } from 'node:sqlite'
import type { Sight, TargetRow, TargetsQuery } from './historyrows.ts'
import { earliest, heardSql, ranked, visible } from './pages.ts'
import { statements } from './rows.ts'

export function targets(db: DatabaseSync): (query: TargetsQuery) => readonly TargetRow[] {
  const latest = statements(db)<{ conversation: string; time: number | null }>(TARGETS_SQL)

  return ({ channels, party, since = '', notBefore, first, second, limit, isWithEvents = false }) => {
    const isForwards = first <= second
    const [after, before] = isForwards ? [first, second] : [second, first]
    const rows = latest.all({
      channels: JSON.stringify(channels.map(factsOf)),
      party,
      since,
      after: earliest({ notBefore, since }),
      tagmsg: isWithEvents ? '' : 'TAGMSG',
    })
    const found: TargetRow[] = []
    for (const { conversation, time } of rows)
      if (time !== null && time > after && time < before) found.push({ conversation, time })
    found.sort((one, other) => one.time - other.time)
    // The next page begins after a time, so a page does not end among those that share one: one message may have several targets.
    const edge = found.at(isForwards ? limit - 1 : -limit)?.time
    if (found.length <= limit || edge === undefined) return found
    return found.filter(({ time }) => (isForwards ? time <= edge : time >= edge))
  }
}

/** One lookup in `history_by_time` for each channel and each correspondent; separate statements would cost five times as much. */
export const TARGETS_SQL = `
  WITH sight (conversation, incarnation, ranks, rankedSince, since, after) AS (
    SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5 FROM json_each(:channels)
    UNION ALL
    SELECT conversation, -1, '', 0, :since, :after FROM correspondents WHERE party = :party)
  SELECT conversation, (
    SELECT time FROM history
    WHERE history.conversation = sight.conversation AND time > sight.after AND command <> :tagmsg AND ${heardSql('sight.')}
    ORDER BY time DESC, seq DESC LIMIT 1) AS time
  FROM sight`

/** In the order in which the statement reads them. */
function factsOf(sight: Sight): readonly (string | number)[] {
  const { conversation, incarnation, since } = visible(sight)
  const { ranks, rankedSince } = ranked(sight)
  return [conversation, incarnation, ranks, rankedSince, since, earliest(sight)]
}
