// ChanServ REDACT: for moderators whose clients show no message ids.
import type { ServiceTurn, Verb } from '../service.ts'
import { sightsOf } from '../rules/history.ts'
import { findVisible } from '../rules/see.ts'
import { parseLimit } from './historyquery.ts'
import { announcementOf, type Outcome, takeBack } from './redact.ts'

/** As the newest messages of one request. */
const MOST = 50

export const REDACT: Verb<readonly (readonly [id: string, Outcome])[] | undefined> = {
  name: 'REDACT',
  usage: 'REDACT <#channel> <nick> [<count>]',
  help: `deletes what somebody said last in a channel, for its operators; at most ${MOST} messages, one by default`,
  minWords: 2,
  maxWords: 3,
  prepare: (turn, [name = '', nick = '', count = '1']) => takeBackLast(turn, name, { nick, count }),
  run({ state, user, tell, propose }, [name = '', nick = ''], outcomes) {
    if (outcomes === undefined) return tell('Say which channel, which nick, and how many messages')
    if (outcomes.length === 0) return tell(`${nick.slice(0, 64)} has said nothing there that is kept`)
    let gone = 0
    for (const [message, outcome] of outcomes) {
      const to = announcementOf(state, name, outcome)
      if (to === undefined) continue
      gone++
      propose({ kind: 'redacted', by: user.key, to, message, reason: undefined })
    }
    tell(
      gone === 0
        ? 'You are not allowed to delete these messages'
        : `Deleted: ${gone} of ${nick.slice(0, 64)}`,
    )
  },
}

async function takeBackLast(
  turn: ServiceTurn,
  name: string,
  { nick, count }: { nick: string; count: string },
): Promise<readonly (readonly [string, Outcome])[] | undefined> {
  const { chat, state, user } = turn
  const limit = parseLimit(count, MOST)
  const sights = findVisible(state, user, name) && sightsOf(state, user, name)
  if (limit === undefined || sights === undefined) return undefined
  const { world } = chat
  const before = world.now() + 1
  const found = await world.history.search({ sights, from: nick, text: '', after: 0, before, limit })
  const outcomes: [string, Outcome][] = []
  for (const { id } of found ?? []) outcomes.push([id, await takeBack(turn, name, { id, reason: undefined })])
  return outcomes
}
