// Who is meant by a channel's lists.
import { fold, matchesMask } from '../../irc/names.ts'
import type { ListMode } from '../../irc/modes.ts'
import { type Channel, maskOf, type User } from '../state.ts'

/** Entries that begin so do not keep anybody out, they only take the voice. EXTBAN=,m */
const MUTE = 'm:'

export function isListed(channel: Channel, list: ListMode, user: User): boolean {
  const mask = fold(maskOf(user))
  return channel.lists[list].some((entry) => matchesMask(fold(entry.mask), mask))
}

export function isBanned(channel: Channel, user: User): boolean {
  return isListed(channel, 'b', user) && !isListed(channel, 'e', user)
}

export function isMuted(channel: Channel, user: User): boolean {
  const mask = fold(maskOf(user))
  const means = ({ mask: entry }: { readonly mask: string }) =>
    entry.startsWith(MUTE) && matchesMask(fold(entry.slice(MUTE.length)), mask)
  return channel.lists.b.some(means) && !channel.lists.e.some(means) && !isListed(channel, 'e', user)
}
