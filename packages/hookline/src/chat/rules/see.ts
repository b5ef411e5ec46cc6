// Who sees whom, and which channels.
import { type Channel, membership, type User } from '../state.ts'
import { mayUse } from './oper.ts'

function sharesChannel(one: User, other: User): boolean {
  const [fewer, more] = one.channels.size <= other.channels.size ? [one, other] : [other, one]
  for (const name of fewer.channels.keys()) if (more.channels.has(name)) return true
  return false
}

/** Somebody invisible (+i) is seen by those in the same channel, by itself and by server operators. */
export function maySee(viewer: User, user: User): boolean {
  return (
    !user.modes.has('i') || viewer.key === user.key || mayUse(viewer, 'see') || sharesChannel(viewer, user)
  )
}

/** A secret channel (+s) does not exist for those outside. */
export function maySeeChannel(viewer: User, channel: Channel): boolean {
  return !channel.flags.has('s') || membership(channel, viewer) !== undefined || mayUse(viewer, 'see')
}

/** Whether WHOIS and WHO may tell that `user` is in `channel`. */
export function maySeeIn(viewer: User, user: User, channel: Channel): boolean {
  if (membership(channel, viewer) !== undefined || viewer.key === user.key || mayUse(viewer, 'see'))
    return true
  return !channel.flags.has('s') && !user.modes.has('i')
}
