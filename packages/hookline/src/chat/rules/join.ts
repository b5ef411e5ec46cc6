// Who may come into a channel.
import * as numerics from '../../irc/numerics.ts'
import type { Numeric } from '../../irc/numerics.ts'
import { type Channel, isBot, type User } from '../state.ts'
import { isBanned, isListed } from './ban.ts'

/** The numeric that refuses, or undefined. An invitation opens every door, once. A bot without a connection was placed by the server's owner. */
export function refusesJoin(channel: Channel, user: User, password: string | undefined): Numeric | undefined {
  if (user.invitations.has(channel.key)) return undefined
  if (isBot(user) && user.sessions.length === 0) return undefined
  if (channel.password !== undefined && channel.password !== password) return numerics.ERR_BADCHANNELKEY
  if (channel.flags.has('i') && !isListed(channel, 'I', user)) return numerics.ERR_INVITEONLYCHAN
  if (isBanned(channel, user)) return numerics.ERR_BANNEDFROMCHAN
  if (channel.limit !== undefined && channel.members.size >= channel.limit) return numerics.ERR_CHANNELISFULL
  return undefined
}

/** Whoever comes first runs the channel; a bot that waits in it has no say in that. */
export function startsAsOperator(channel: Channel | undefined): boolean {
  if (channel === undefined) return true
  for (const { user } of channel.members.values()) if (user.sessions.length > 0) return false
  return true
}
