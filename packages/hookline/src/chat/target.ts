// Whom a message is for: a user, a channel, or those of its members who have a rank.
import { PREFIX, type Rank, splitStatus } from '../irc/modes.ts'
import { type ChannelKey, isChannelName } from '../irc/names.ts'
import { type Channel, findChannel, findUser, mustGet, type State, type User, type UserKey } from './state.ts'

export type Recipients = { readonly user: UserKey } | InChannel

export interface InChannel {
  readonly channel: ChannelKey
  /** Only members of at least this rank hear it: `@#channel`. */
  readonly rank: Rank | undefined
  /** The same without showing it: the channel is op-moderated (+U). */
  readonly heardFrom?: Rank | undefined
}

/** Those below this rank do not hear it; undefined: everybody in the channel does. */
export function leastOf({ rank, heardFrom }: InChannel): Rank | undefined {
  return heardFrom ?? rank
}

/** `rank`: only for members of at least that. */
export interface ChannelTarget {
  readonly channel: Channel
  readonly rank: Rank | undefined
}

export type Target = { readonly user: User } | ChannelTarget

export function findTarget(state: State, target: string): Target | undefined {
  const { rank, name } = splitStatus(target)
  if (isChannelName(name)) {
    const channel = findChannel(state, name)
    return channel && { channel, rank }
  }
  const user = findUser(state, name)
  return user && { user }
}

/** As its recipients see it: `#Channel`, `@#Channel`, or a nick. */
export function targetName(state: State, to: Recipients): string {
  if ('user' in to) return mustGet(state.users, to.user).nick
  return shownName({ channel: mustGet(state.channels, to.channel), rank: to.rank })
}

export function shownName({ channel, rank }: ChannelTarget): string {
  return rank === undefined ? channel.name : PREFIX[rank] + channel.name
}
