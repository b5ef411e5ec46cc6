// RENAME: a channel gets another name and keeps everything else.
// https://ircv3.net/specs/extensions/channel-rename
import { CAPS } from '../../irc/caps.ts'
import { type ChannelKey, channelKey, isValidChannelName } from '../../irc/names.ts'
import * as numerics from '../../irc/numerics.ts'
import { cutText } from '../../irc/split.ts'
import { type Command, effect } from '../command.ts'
import type { ChannelRenamed } from '../events.ts'
import { isOperator, rankRefusal } from '../rules/rank.ts'
import { isFounder } from '../rules/register.ts'
import { findVisible } from '../rules/see.ts'
import type { Session } from '../session.ts'
import { exclude, include, put, take } from '../emptycollections.ts'
import { findChannel, membership, mustGet, type WritableChannel, type WritableState } from '../state.ts'
import { tellJoined } from './join.ts'

export const RENAME: Command = {
  name: 'RENAME',
  minParams: 2,
  when: 'registered',
  help: 'RENAME <channel> <new name> [:<reason>]: renames a channel',
  run({ chat, state, user, reply, fail, propose }, { params: [old = '', name = '', reason = ''] }) {
    const channel = findVisible(state, user, old)
    if (channel === undefined) return reply(numerics.ERR_NOSUCHCHANNEL, old)
    if (!isOperator(channel, user)) return reply(rankRefusal(channel, user), channel.name)
    const { channelLength, kickLength } = chat.settings.limits
    const cannot = (why: string) => fail('CANNOT_RENAME', [channel.name, name], why)
    if (channel.registration !== undefined && !isFounder(channel, user))
      return cannot('Only the founder can rename a registered channel')
    if (!isValidChannelName(name, channelLength)) return cannot('That is not a valid channel name')
    const isOther = channelKey(name) !== channel.key
    if (isOther && findChannel(state, name) !== undefined)
      return fail('CHANNEL_NAME_IN_USE', [channel.name, name], 'The channel name is already taken')
    if (isOther && chat.world.now() - (channel.renamedAt ?? -Infinity) < COOLDOWN_MS)
      return cannot('The channel was renamed less than a minute ago: try again later')
    if (channel.name === name) return cannot('The channel already has that name')

    propose({
      kind: 'channel.renamed',
      channel: channel.key,
      name,
      by: user.key,
      reason: cutText(reason, kickLength),
    })
  },
}

/** Clients without the capability are sent all that a JOIN sends, so this must not happen too often. */
const COOLDOWN_MS = 60_000
/** A bot whose file has an even older name no longer finds its channel. */
const MOST_FORMER_NAMES = 8

/** Returns the old name. */
export const channelRenamed = effect<ChannelRenamed, string>({
  apply(state, { channel: was, name }, { at }) {
    const channel = mustGet(state.channels, was)
    const before = channel.name
    channel.name = name
    for (const each of state.channels.values())
      if (each.forward !== undefined && channelKey(each.forward) === was) each.forward = name
    if (channelKey(name) !== was) moveTo(state, channel, channelKey(name), at)
    return before
  },
  announce(chat, { name, by: key, reason }, before, entry) {
    const channel = mustGet(chat.state.channels, channelKey(name))
    const by = mustGet(chat.state.users, key)
    const line = chat.lineOf(by, entry, 'RENAME', [before, name, reason])
    if (membership(channel, by) === undefined) chat.toUser(by, line, CAPS['draft/channel-rename'])
    for (const { user } of channel.members.values()) {
      const others: Session[] = []
      for (const session of chat.sessionsOf(user)) {
        if (session.has(CAPS['draft/channel-rename'])) session.send(line)
        else others.push(session)
      }
      // "This fallback SHOULD NOT be used if the rename only changes the case": such a client sees no difference.
      if (others.length === 0 || channelKey(before) === channel.key) continue
      // Without the msgid: that is the JOIN's, and must be unique.
      const params = reason === '' ? [before] : [before, reason]
      const parted = chat.lineOf(user, { at: entry.at }, 'PART', params)
      for (const session of others) {
        session.send(parted)
        tellJoined(chat, session, channel, user, entry)
      }
    }
  },
})

function moveTo(state: WritableState, channel: WritableChannel, key: ChannelKey, at: number): void {
  const was = channel.key
  channel.key = key
  channel.renamedAt = at
  state.channels.delete(was)
  state.channels.set(key, channel)
  for (const { user } of channel.members.values()) {
    user.channels = put(take(user.channels, was), key, channel)
  }
  for (const invited of channel.invited) {
    const user = state.users.get(invited)
    if (user !== undefined) user.invitations = include(exclude(user.invitations, was), key)
  }
  for (const markers of state.readMarkers.values()) {
    const read = markers.get(was)
    if (read !== undefined && markers.delete(was)) markers.set(key, read)
  }
  const names = [...channel.formerNames.filter((each) => each !== key), was]
  channel.formerNames = names.slice(-MOST_FORMER_NAMES)
  for (const each of names.slice(0, -MOST_FORMER_NAMES))
    if (state.renamed.get(each) === channel) state.renamed.delete(each)
  state.renamed.delete(key)
  state.renamed.set(was, channel)
}
