// Who may join a channel, and with which rank.
import type { Rank } from '../../irc/modes.ts'
import { accountKey, channelKey } from '../../irc/names.ts'
import * as numerics from '../../irc/numerics.ts'
import type { Numeric } from '../../irc/numerics.ts'
import { type Channel, membership, type State, type User } from '../state.ts'
import { isBanned, isListed } from './ban.ts'
import { maySeeChannel } from './see.ts'

/**
 * The numeric that refuses, or undefined. An invitation overrides everything, once; those who help run the channel always get in.
 * Bots are placed by the server's owner.
 */
export function refusesJoin(channel: Channel, user: User, password: string | undefined): Numeric | undefined {
  if (user.invitations.has(channel.key) || user.isVirtual) return undefined
  const rank = registeredRank(channel, user)
  if (rank !== undefined && rank !== 'v') return undefined
  if (channel.password !== undefined && channel.password !== password) return numerics.ERR_BADCHANNELKEY
  if (channel.flags.has('i') && !isListed(channel, 'I', user)) return numerics.ERR_INVITEONLYCHAN
  if (isBanned(channel, user)) return numerics.ERR_BANNEDFROMCHAN
  if (channel.flags.has('R') && user.account === null && !isListed(channel, 'I', user))
    return numerics.ERR_NEEDREGGEDNICK
  if (channel.limit !== undefined && channel.members.size >= channel.limit) return numerics.ERR_CHANNELISFULL
  return undefined
}

/** How long the old name of a renamed channel leads to it: a day. */
const REDIRECTION_MS = 24 * 60 * 60 * 1_000

/**
 * The channel that once had this name, for somebody who may know of it. Not for a member on a connection that saw the rename: there
 * the name may be used anew. A later connection, such as another device, has not seen it. `now` and `cameAt` are in ms.
 */
export function renamedFor(
  state: State,
  user: User,
  name: string,
  { now, cameAt }: { now: number; cameAt: number },
): Channel | undefined {
  const channel = state.renamed.get(channelKey(name))
  if (channel === undefined || !maySeeChannel(channel, user)) return undefined
  const { renamedAt = 0 } = channel
  const isKnown = membership(channel, user) !== undefined && cameAt <= renamedAt
  return isKnown || now - renamedAt > REDIRECTION_MS ? undefined : channel
}

/** The rank that a registered channel gives the account; an unregistered one makes the first to join its operator. */
export function ranksOnJoin(channel: Channel | undefined, user: User): Rank[] {
  if (channel?.registration === undefined) return isFirst(channel) ? ['o'] : []
  const rank = registeredRank(channel, user)
  return rank === undefined ? [] : [rank]
}

/** The rank of this account in a registered channel. */
export function registeredRank({ registration }: Channel, { account }: User): Rank | undefined {
  if (registration === undefined || account === null) return undefined
  const key = accountKey(account)
  return key === registration.founder ? 'q' : registration.access.get(key)
}

/** Whether it has no members, bots aside: they have no say. */
export function isFirst(channel: Channel | undefined): boolean {
  if (channel === undefined) return true
  for (const { user } of channel.members.values()) if (!user.isVirtual) return false
  return true
}
