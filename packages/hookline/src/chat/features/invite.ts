// INVITE: invites a user; from those who run the channel it also overrides its restrictions, once. UNINVITE takes that back.
// As in Ergo: https://github.com/ergochat/ergo/blob/stable/irc/channel.go
import { CAPS } from '../../irc/caps.ts'
import * as numerics from '../../irc/numerics.ts'
import type { Chat } from '../chat.ts'
import { type Command, effect } from '../command.ts'
import type { Invited, Uninvited } from '../events.ts'
import { mayModerate, mayInvite, rankRefusal } from '../rules/rank.ts'
import { findVisible, mayNameIn } from '../rules/see.ts'
import type { Session } from '../session.ts'
import { exclude, include } from '../emptycollections.ts'
import { type Channel, findUser, membership, mustGet, type User } from '../state.ts'

export const INVITE: Command = {
  name: 'INVITE',
  minParams: 0,
  when: 'registered',
  help: [
    "INVITE <nick> <channel>: invites a user; an operator's invitation also overrides modes and bans",
    'INVITE: lists your invitations',
  ],
  run({ chat, session, state, user, reply, propose }, { params: [nick, name] }) {
    if (nick === undefined) {
      for (const key of user.invitations) {
        const channel = state.channels.get(key)
        if (channel !== undefined) reply(numerics.RPL_INVITELIST, channel.name)
      }
      return reply(numerics.RPL_ENDOFINVITELIST)
    }
    if (name === undefined) return reply(numerics.ERR_NEEDMOREPARAMS, 'INVITE')
    const target = findUser(state, nick)
    if (target === undefined) return reply(numerics.ERR_NOSUCHNICK, nick)
    const channel = findVisible(state, user, name)
    if (channel === undefined) return reply(numerics.ERR_NOSUCHCHANNEL, name)
    if (membership(channel, user) === undefined) return reply(numerics.ERR_NOTONCHANNEL, channel.name)
    if (!mayInvite(channel, user)) return reply(numerics.ERR_CHANOPRIVSNEEDED, channel.name)
    if (membership(channel, target) !== undefined) {
      // A member that it may not see there gets the same answer as a user who is not a member.
      if (mayNameIn(channel, user, target))
        return reply(numerics.ERR_USERONCHANNEL, target.nick, channel.name)
      return tellInviting(chat, session, target, channel)
    }

    const opens = mayModerate(channel, user)
    propose({ kind: 'channel.invited', channel: channel.key, user: target.key, by: user.key, opens })
  },
}

export const invited = effect<Invited>({
  apply(state, event) {
    if (!event.opens) return
    const user = mustGet(state.users, event.user)
    user.invitations = include(user.invitations, event.channel)
    mustGet(state.channels, event.channel).invited.add(event.user)
  },
  announce(chat, event, _, entry) {
    const channel = mustGet(chat.state.channels, event.channel)
    const target = mustGet(chat.state.users, event.user)
    const by = mustGet(chat.state.users, event.by)
    const session = chat.originOf(entry)
    if (session !== undefined) tellInviting(chat, session, target, channel)
    const line = chat.lineOf(by, entry, 'INVITE', [target.nick, channel.name])
    chat.toUser(target, line)
    // invite-notify: to those who run the channel
    for (const { user } of channel.members.values()) {
      if (user.key !== by.key && mayModerate(channel, user)) chat.toUser(user, line, CAPS['invite-notify'])
    }
  },
})

function tellInviting(chat: Chat, session: Session, { nick, away }: User, { name }: Channel): void {
  chat.reply(session, numerics.RPL_INVITING, nick, name)
  if (away !== undefined) chat.reply(session, numerics.RPL_AWAY, nick, away)
}

export const UNINVITE: Command = {
  name: 'UNINVITE',
  minParams: 2,
  when: 'registered',
  help: "UNINVITE <nick> <channel>: takes back an operator's invitation that was not used",
  run({ state, user, reply, fail, propose }, { params: [nick = '', name = ''] }) {
    const target = findUser(state, nick)
    if (target === undefined) return reply(numerics.ERR_NOSUCHNICK, nick)
    const channel = findVisible(state, user, name)
    if (channel === undefined) return reply(numerics.ERR_NOSUCHCHANNEL, name)
    if (!mayModerate(channel, user)) return reply(rankRefusal(channel, user), channel.name)
    if (!target.invitations.has(channel.key))
      return fail('NOT_INVITED', [target.nick, channel.name], 'There is no invitation to take back')
    propose({ kind: 'channel.uninvited', channel: channel.key, user: target.key, by: user.key })
  },
}

export const uninvited = effect<Uninvited>({
  apply(state, event) {
    const user = mustGet(state.users, event.user)
    user.invitations = exclude(user.invitations, event.channel)
    mustGet(state.channels, event.channel).invited.delete(event.user)
  },
  announce(chat, event, _, entry) {
    const { name } = mustGet(chat.state.channels, event.channel)
    const { nick } = mustGet(chat.state.users, event.user)
    // As in Ergo, only whoever asked is told.
    chat.originOf(entry)?.send(chat.line({ command: 'UNINVITE', params: [nick, name], at: entry.at }))
  },
})
