// Who sees whom, and which channels.
import { type Channel, findChannel, membership, type State, type User } from '../state.ts'
import { mayUse } from './oper.ts'

/** Whether both are in one channel where `one` sees `other`. */
function sharesChannel(one: User, other: User): boolean {
  const [fewer, more] = one.channels.size <= other.channels.size ? [one, other] : [other, one]
  for (const [name, channel] of fewer.channels)
    if (more.channels.has(name) && (!isHidden(channel, other) || seesHidden(channel, one))) return true
  return false
}

/** An auditorium (+u) shows only those with voice or more. https://github.com/ergochat/ergo/blob/stable/docs/MANUAL.md */
export function isHidden(channel: Channel, user: User): boolean {
  return channel.flags.has('u') && membership(channel, user)?.ranks.length === 0
}

/** Those who are shown in an auditorium see everybody, and so do server operators with `see`. */
export function seesHidden(channel: Channel, viewer: User): boolean {
  return (membership(channel, viewer)?.ranks.length ?? 0) > 0 || mayUse(viewer, 'see')
}

/** Whether NAMES lists `user`, a member of the channel; a hidden one not even to itself, since others do not see it either. */
export function mayNameIn(channel: Channel, viewer: User, user: User): boolean {
  return isHidden(channel, user) ? seesHidden(channel, viewer) : maySeeIn(channel, viewer, user)
}

/** An invisible user (+i) is seen by those who share a channel with it, by itself and by server operators with `see`. */
export function maySee(viewer: User, user: User): boolean {
  return (
    !user.modes.has('i') || viewer.key === user.key || mayUse(viewer, 'see') || sharesChannel(viewer, user)
  )
}

/** Whether WHOIS and WHO tell where `user` comes from. */
export function maySeeAddress(viewer: User, user: User): boolean {
  return viewer.key === user.key || mayUse(viewer, 'see')
}

/** A secret channel (+s) does not exist for those outside it. */
export function maySeeChannel(channel: Channel, viewer: User): boolean {
  return !channel.flags.has('s') || membership(channel, viewer) !== undefined || mayUse(viewer, 'see')
}

/** The channel of that name, as far as `viewer` may know of it. */
export function findVisible(state: State, viewer: User, name: string): Channel | undefined {
  const channel = findChannel(state, name)
  return channel !== undefined && maySeeChannel(channel, viewer) ? channel : undefined
}

/** Whether WHOIS and WHO may tell that `user` is in `channel`. */
export function maySeeIn(channel: Channel, viewer: User, user: User): boolean {
  if (viewer.key === user.key || mayUse(viewer, 'see')) return true
  if (isHidden(channel, user)) return seesHidden(channel, viewer)
  if (membership(channel, viewer) !== undefined) return true
  return !channel.flags.has('s') && !user.modes.has('i')
}
