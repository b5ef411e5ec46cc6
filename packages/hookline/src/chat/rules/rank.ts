// What a member's rank allows in its channel.
import { isAtLeast, isRank, type ModeChange, type Rank, RANKS } from '../../irc/modes.ts'
import * as numerics from '../../irc/numerics.ts'
import { type Channel, membership, type User } from '../state.ts'
import { mayUse } from './oper.ts'

/** Half-operators and above, and server operators with `channels`: they kick, invite, and set modes and the topic. */
export function mayModerate(channel: Channel, user: User): boolean {
  return mayUse(user, 'channels') || hasRank(channel, user, 'h')
}

/** Operators and above, and server operators with `channels`: they also rename the channel and redact others' messages. */
export function isOperator(channel: Channel, user: User): boolean {
  return mayUse(user, 'channels') || hasRank(channel, user, 'o')
}

/** The refusal of what needs a higher rank than the user has, who may be outside. */
export function rankRefusal(channel: Channel, user: User): numerics.Numeric {
  return membership(channel, user) === undefined ? numerics.ERR_NOTONCHANNEL : numerics.ERR_CHANOPRIVSNEEDED
}

/** Whether the user has this rank or a higher one. */
export function hasRank(channel: Channel, user: User, least: Rank): boolean {
  return isAtLeast(membership(channel, user)?.ranks ?? [], least)
}

export function maySetTopic(channel: Channel, user: User): boolean {
  return !channel.flags.has('t') || mayModerate(channel, user)
}

/** Any member may invite, unless the channel is invite-only. */
export function mayInvite(channel: Channel, user: User): boolean {
  return !channel.flags.has('i') || mayModerate(channel, user)
}

/** Nobody is kicked by someone of lower rank. */
export function mayKick(channel: Channel, user: User, target: User): boolean {
  if (mayUse(user, 'channels')) return true
  const theirs = membership(channel, target)?.ranks[0]
  return mayModerate(channel, user) && (theirs === undefined || hasRank(channel, user, theirs))
}

/** Speaking for people who are not here needs `relaymsg` or, if the settings allow it, a channel operator's rank. */
export function mayRelay(
  channel: Channel,
  user: User,
  { isForOperators }: { readonly isForOperators: boolean },
): boolean {
  if (mayUse(user, 'relaymsg')) return true
  return isForOperators && hasRank(channel, user, 'o')
}

/** A rank needs `mayChangeRank` besides. `named` is the user whom the change names. */
export function mayChangeMode(
  channel: Channel,
  user: User,
  { sign, mode }: ModeChange,
  named: User | undefined,
): boolean {
  return mayModerate(channel, user) || (isRank(mode) && sign === '-' && named?.key === user.key)
}

/** Everyone may give up a rank; to give or take another's, one needs the rank named here. */
const GIVEN_BY: Readonly<Record<Rank, Rank>> = { q: 'q', a: 'q', o: 'o', h: 'o', v: 'h' }

export function mayChangeRank(channel: Channel, user: User, change: ModeChange<Rank>, target: User): boolean {
  if ((change.sign === '-' && target.key === user.key) || mayUse(user, 'channels')) return true
  return gives(membership(channel, user)?.ranks ?? [], change.mode)
}

/** Whether somebody with these ranks gives and takes `rank`. */
export function gives(ranks: readonly Rank[], rank: Rank): boolean {
  return isAtLeast(ranks, GIVEN_BY[rank])
}

/** The ranks with one added or removed, in their order. */
export function withRank(ranks: readonly Rank[], { sign, mode }: ModeChange<Rank>): Rank[] {
  return RANKS.filter((rank) => (rank === mode ? sign === '+' : ranks.includes(rank)))
}
