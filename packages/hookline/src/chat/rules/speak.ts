// Who may say what in a channel.
import { isAtLeast } from '../../irc/modes.ts'
import { type Channel, membership, type User } from '../state.ts'
import { isBanned, isMuted } from './ban.ts'

/** Why it may not be said there, as the end of a 404; undefined where it may. */
export function refusesSpeech(channel: Channel, user: User, text: string): string | undefined {
  const member = membership(channel, user)
  if (member === undefined && channel.flags.has('n')) return 'Cannot send to channel (+n): you are not in it'
  const hasVoice = member !== undefined && isAtLeast(member.ranks, 'v')
  if (!hasVoice) {
    if (channel.flags.has('m')) return 'Cannot send to channel (+m): it is moderated and you have no voice'
    if (isBanned(channel, user)) return 'Cannot send to channel (+b): you are banned from it'
    if (isMuted(channel, user)) return 'Cannot send to channel (+b): you are muted in it'
  }
  if (channel.flags.has('C') && isCtcp(text)) return 'Cannot send to channel (+C): CTCP is not allowed in it'
  return undefined
}

/** The same for a message to one user. */
export function refusesPrivate(target: User, text: string): string | undefined {
  return target.modes.has('T') && isCtcp(text) ? 'This user takes no CTCP (+T)' : undefined
}

/** A request to somebody's client; `/me` is in the same form but only a way of speaking. */
function isCtcp(text: string): boolean {
  return text.startsWith('\x01') && !text.startsWith('\x01ACTION ')
}
