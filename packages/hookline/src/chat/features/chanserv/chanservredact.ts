// ChanServ REDACT: for moderators whose clients show no message ids.
import { PREFIX, splitStatus } from '../../../irc/modes.ts'
import { sightsOf } from '../../rules/history.ts'
import { offersRedaction } from '../../rules/redact.ts'
import { findVisible } from '../../rules/see.ts'
import type { ServiceTurn, Verb } from '../../service.ts'
import { parseLimit } from '../history/historyquery.ts'
import { announcementOf, takeBack } from '../redact.ts'

/** Of one request. */
const MOST = 50

export const REDACT: Verb<string> = {
  name: 'REDACT',
  usage: 'REDACT <#channel> <nick> [<count>]',
  help: `deletes what somebody said last in a channel, for its operators; at most ${MOST} messages, one by default`,
  minWords: 2,
  maxWords: 3,
  prepare: (turn, [name = '', nick = '', count = '1']) =>
    redactLast(turn, { name: name.slice(0, 64), nick: nick.slice(0, 64), count }),
  run({ tell }, _, answer) {
    tell(answer)
  },
}

/** Each is announced as soon as it is gone from the disk, whether or not who asked is still here. Gives the answer. */
async function redactLast(
  turn: ServiceTurn,
  { name, nick, count }: { name: string; nick: string; count: string },
): Promise<string> {
  const { chat, state, user } = turn
  if (!offersRedaction(chat.settings)) return 'This server deletes no messages'
  const limit = parseLimit(count, MOST)
  if (limit === undefined) return 'The count must be a positive number'
  const sights = findVisible(state, user, name) && sightsOf(state, user, name)
  if (sights === undefined) return `You cannot delete messages in ${name}: join it first`
  // Messages may be stamped ahead of the time.
  const before = chat.clock.latest + 1
  const found = await chat.world.history.search({ sights, from: nick, text: '', after: 0, before, limit })
  if (found === undefined) return LATER
  if (found.length === 0) return `${nick} has said nothing in ${name} that is kept`

  let gone = 0
  let isForbidden = false
  for (const { id, target } of found) {
    const { rank } = splitStatus(target)
    const place = rank === undefined ? name : PREFIX[rank] + name
    const outcome = await takeBack(turn, place, { id, reason: undefined })
    isForbidden ||= outcome === 'forbidden'
    if (typeof outcome !== 'object') continue
    gone++
    const to = announcementOf(state, place, outcome)
    const by = state.users.has(user.key) ? user.key : undefined
    if (to !== undefined) chat.propose({ kind: 'redacted', by, to, message: id, reason: undefined })
  }
  if (gone > 0) return `Deleted: ${gone} of ${nick}`
  return isForbidden ? 'You are not allowed to delete these messages' : LATER
}

const LATER = 'The history cannot be changed right now: try again later'
