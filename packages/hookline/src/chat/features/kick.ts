// KICK: removing somebody from a channel.
import * as numerics from '../../irc/numerics.ts'
import { cutText } from '../../irc/split.ts'
import { type Command, effect, type UserTurn } from '../command.ts'
import type { Kicked } from '../events.ts'
import { mayModerate, mayKick } from '../rules/rank.ts'
import { findVisible } from '../rules/see.ts'
import { findUser, membership, mustGet } from '../state.ts'
import { type Departure, leaveChannel } from './part.ts'

export const KICK: Command = {
  name: 'KICK',
  minParams: 2,
  when: 'registered',
  help: 'KICK <channel>{,<channel>} <nick>{,<nick>} [:<reason>]: removes users from channels',
  run(turn, { params: [names = '', nicks = '', reason = ''] }) {
    const channels = names.split(',')
    const targets = nicks.split(',')
    if (channels.length > 1 && channels.length !== targets.length) {
      return turn.reply(numerics.ERR_NEEDMOREPARAMS, 'KICK')
    }
    for (const [i, nick] of targets.entries()) kickOne(turn, channels[i] ?? channels[0] ?? '', nick, reason)
  },
}

function kickOne(
  { chat, state, user, reply, propose }: UserTurn,
  name: string,
  nick: string,
  reason: string,
): void {
  const channel = findVisible(state, user, name)
  if (channel === undefined) return reply(numerics.ERR_NOSUCHCHANNEL, name)
  if (membership(channel, user) === undefined) return reply(numerics.ERR_NOTONCHANNEL, channel.name)
  if (!mayModerate(channel, user)) return reply(numerics.ERR_CHANOPRIVSNEEDED, channel.name)
  const target = findUser(state, nick)
  if (target === undefined) return reply(numerics.ERR_NOSUCHNICK, nick)
  if (membership(channel, target) === undefined) {
    return reply(numerics.ERR_USERNOTINCHANNEL, target.nick, channel.name)
  }
  if (!mayKick(channel, user, target)) return reply(numerics.ERR_CHANOPRIVSNEEDED, channel.name)

  const text = reason === '' ? user.nick : cutText(reason, chat.settings.limits.kickLength)
  propose({ kind: 'channel.kicked', channel: channel.key, user: target.key, by: user.key, reason: text })
}

export const kicked = effect<Kicked, Departure>({
  apply(state, event) {
    const channel = mustGet(state.channels, event.channel)
    return leaveChannel(state, channel, mustGet(state.users, event.user))
  },
  announce(chat, event, { channel, isHidden }, entry) {
    const target = mustGet(chat.state.users, event.user)
    const by = mustGet(chat.state.users, event.by)
    const line = chat.lineOf(by, entry, 'KICK', [channel.name, target.nick, event.reason])
    chat.toViewers(channel, line, { isHidden, except: target })
    chat.toUser(target, line)
  },
})
