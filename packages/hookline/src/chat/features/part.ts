// PART: leaving a channel.
import * as numerics from '../../irc/numerics.ts'
import { cutText } from '../../irc/split.ts'
import { type Command, effect } from '../command.ts'
import type { ChannelParted } from '../events.ts'
import { findVisible, isHidden } from '../rules/see.ts'
import { exclude, take } from '../emptycollections.ts'
import {
  type Channel,
  membership,
  mustGet,
  type WritableChannel,
  type WritableState,
  type WritableUser,
} from '../state.ts'

export const PART: Command = {
  name: 'PART',
  minParams: 1,
  when: 'registered',
  help: 'PART <channel>{,<channel>} [:<reason>]: leaves channels',
  run({ chat, state, user, reply, propose }, { params: [names = '', reason] }) {
    const said = reason ? cutText(reason, chat.settings.limits.kickLength) : undefined
    for (const name of names.split(',')) {
      const channel = findVisible(state, user, name)
      if (channel === undefined) reply(numerics.ERR_NOSUCHCHANNEL, name)
      else if (membership(channel, user) === undefined) reply(numerics.ERR_NOTONCHANNEL, channel.name)
      else propose({ kind: 'channel.parted', channel: channel.key, user: user.key, reason: said })
    }
  },
}

/** `isHidden`: only those in the channel who see everybody saw this user there. */
export interface Departure {
  readonly channel: Channel
  readonly isHidden: boolean
}

export const channelParted = effect<ChannelParted, Departure>({
  apply(state, event) {
    const channel = mustGet(state.channels, event.channel)
    return leaveChannel(state, channel, mustGet(state.users, event.user))
  },
  announce(chat, { user: key, reason }, { channel, isHidden: wasHidden }, entry) {
    const user = mustGet(chat.state.users, key)
    const params = reason === undefined ? [channel.name] : [channel.name, reason]
    const line = chat.lineOf(user, entry, 'PART', params)
    chat.toUser(user, line)
    chat.toViewers(channel, line, { isHidden: wasHidden, except: user })
  },
})

/** For `apply`: removes the user, and the channel if it has no members left and is not registered. */
export function leaveChannel(state: WritableState, channel: WritableChannel, user: WritableUser): Departure {
  const departure = { channel, isHidden: isHidden(channel, user) }
  channel.members.delete(user.key)
  channel.version++
  user.channels = take(user.channels, channel.key)
  endIfEmpty(state, channel)
  return departure
}

/** For `apply`: removes a channel without members that is not registered. */
export function endIfEmpty(state: WritableState, channel: WritableChannel): void {
  if (channel.members.size > 0 || channel.registration !== undefined) return
  state.channels.delete(channel.key)
  for (const name of channel.formerNames) if (state.renamed.get(name) === channel) state.renamed.delete(name)
  for (const key of channel.invited) {
    const user = state.users.get(key)
    if (user !== undefined) user.invitations = exclude(user.invitations, channel.key)
  }
}
