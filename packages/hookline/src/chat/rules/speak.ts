// Who may say what in a channel.
import type { Rank } from '../../irc/modes.ts'
import * as numerics from '../../irc/numerics.ts'
import type { Numeric } from '../../irc/numerics.ts'
import { type Channel, membership, type State, type User } from '../state.ts'
import { isBanned, isMuted } from './ban.ts'
import { hasRank } from './rank.ts'

/** Why it may not be said there, as the end of a 404; undefined if it may. `texts` are its lines. */
export function refusesSpeech(channel: Channel, user: User, texts: readonly string[]): string | undefined {
  if (membership(channel, user) === undefined && channel.flags.has('n'))
    return 'Cannot send to channel (+n): you are not in it'
  if (!hasRank(channel, user, 'v')) {
    if (channel.flags.has('m')) return 'Cannot send to channel (+m): it is moderated and you have no voice'
    if (channel.flags.has('M') && user.account === null)
      return 'Cannot send to channel (+M): log in first, or ask for a voice'
  }
  const silence = silenceIn(channel, user)
  if (silence !== undefined) return `Cannot send to channel (+b): you are ${silence} it`
  if (channel.flags.has('C') && texts.some(isCtcp))
    return 'Cannot send to channel (+C): CTCP is not allowed in it'
  return undefined
}

/** What an entry of `b` does to somebody with no rank there; undefined if none matches, or an exception does, too. */
export function silenceIn(channel: Channel, user: User): 'banned from' | 'muted in' | undefined {
  if (hasRank(channel, user, 'v')) return undefined
  if (isBanned(channel, user)) return 'banned from'
  return isMuted(channel, user) ? 'muted in' : undefined
}

/**
 * +U: those without voice are heard only by half-operators and above, who may pass it on. Undefined if that narrows nothing.
 * https://github.com/ergochat/ergo/blob/stable/docs/MANUAL.md
 */
export function heldBackTo(channel: Channel, user: User, rank: Rank | undefined): Rank | undefined {
  if (!channel.flags.has('U') || hasRank(channel, user, 'v')) return undefined
  return rank === undefined || rank === 'v' ? 'h' : undefined
}

/** Why it may not be said to one user: the numeric and, if that has no text of its own, the text. Undefined if it may. */
export function refusesPrivate(
  state: State,
  user: User,
  target: User,
  texts: readonly string[],
): readonly [Numeric, ...string[]] | undefined {
  if (
    target.modes.has('R') &&
    user.account === null &&
    target.key !== user.key &&
    !isAccepted(state, user, target)
  )
    return [numerics.ERR_NEEDREGGEDNICK]
  if (target.modes.has('T') && texts.some(isCtcp))
    return [numerics.ERR_CANNOTSENDTOUSER, 'This user does not accept CTCP (+T)']
  return undefined
}

/** Those whom the target has written to may answer, and ACCEPT lets anybody in. */
function isAccepted(state: State, user: User, target: User): boolean {
  return state.accepts.get(target.key)?.has(user.key) === true
}

/** A request to somebody's client; `/me` has the same form but is ordinary speech. */
function isCtcp(text: string): boolean {
  return text.startsWith('\x01') && !text.startsWith('\x01ACTION ')
}
