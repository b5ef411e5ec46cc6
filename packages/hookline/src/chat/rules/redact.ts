// Who may redact a message.
import { accountKey, nickKey } from '../../irc/names.ts'
import type { PastMessage } from '../past.ts'
import type { ChatSettings } from '../settings.ts'
import { accountOf, type Channel, membership, type State, type User } from '../state.ts'
import { mayUse } from './oper.ts'
import { isOperator } from './rank.ts'
import { maySeeChannel } from './see.ts'

/** Whether messages of this server can be redacted at all. */
export function offersRedaction({ history }: Pick<ChatSettings, 'history'>): boolean {
  return history.isKept && history.mayBeRedacted
}

/** One's own; in a channel also everybody's, for operators (not half-operators) and for server operators with `channels`. */
export function mayRedact(
  state: State,
  user: User,
  message: PastMessage,
  channel: Channel | undefined,
): boolean {
  return isAuthor(state, user, message) || (channel !== undefined && isOperator(channel, user))
}

/** Whether this user may name messages of `channel`. */
export function mayNameMessagesOf(channel: Channel, user: User): boolean {
  if (membership(channel, user) !== undefined) return true
  return mayUse(user, 'channels') && maySeeChannel(channel, user)
}

/**
 * By account if the message has one, else by nick, if this user has had it since before the message (ids sort by time): it may have
 * been somebody else's. So may the name of an account that was dropped.
 */
function isAuthor(state: State, user: User, { id, time, from, account }: PastMessage): boolean {
  if (account !== null) {
    const mine = accountOf(state, user)
    return mine?.key === accountKey(account) && time >= mine.createdAt
  }
  return nickKey(from) === nickKey(user.nick) && id > user.nickSince
}
