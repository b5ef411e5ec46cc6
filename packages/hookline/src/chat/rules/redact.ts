// Who may take a message back.
import { accountKey, nickKey } from '../../irc/names.ts'
import type { PastMessage } from '../past.ts'
import { type Channel, findAccount, membership, type State, type User } from '../state.ts'
import { mayUse } from './oper.ts'
import { runsChannel } from './rank.ts'
import { maySeeChannel } from './see.ts'

/** One's own, and in a channel everybody's for its operators (half-operators are none) and for server operators with `channels`. */
export function mayRedact(
  state: State,
  user: User,
  message: PastMessage,
  channel: Channel | undefined,
): boolean {
  return isAuthor(state, user, message) || (channel !== undefined && runsChannel(channel, user))
}

/** Whether `channel` is one whose messages this user may name. */
export function mayNameMessagesOf(channel: Channel, user: User): boolean {
  if (membership(channel, user) !== undefined) return true
  return mayUse(user, 'channels') && maySeeChannel(user, channel)
}

/**
 * By account where there is one, else by nick, if it has been this user's since before the message: ids sort by time, and a nick
 * may have been somebody else's. So may the name of an account that was dropped.
 */
function isAuthor(state: State, user: User, { id, time, from, account }: PastMessage): boolean {
  if (account !== null) {
    const mine = user.account === null ? undefined : findAccount(state, user.account)
    return mine?.key === accountKey(account) && time >= mine.createdAt
  }
  return nickKey(from) === nickKey(user.nick) && id > user.nickSince
}
