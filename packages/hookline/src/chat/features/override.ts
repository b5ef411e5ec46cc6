// SAJOIN, SAMODE and SANICK: server operators act for others, or override a channel's rules. Everybody sees that it was done.
// https://github.com/ergochat/ergo/blob/stable/docs/MANUAL.md
import { isChannelName, isValidChannelName } from '../../irc/names.ts'
import * as numerics from '../../irc/numerics.ts'
import type { Command, UserTurn } from '../command.ts'
import { refusesNick } from '../rules/nick.ts'
import { findChannel, findUser, membership, type User } from '../state.ts'
import { joining } from './join.ts'
import { MODE } from './mode/mode.ts'
import { changeOwnModes } from './mode/usermode.ts'

export const SAJOIN: Command = {
  name: 'SAJOIN',
  minParams: 1,
  when: 'registered',
  help: 'SAJOIN [<nick>] <channel>{,<channel>}: makes a user, or you, join channels (server operators)',
  privilege: 'sajoin',
  run(turn, { params: [first = '', second] }) {
    const [nick, names] = isChannelName(first) ? [turn.user.nick, first] : [first, second]
    const target = meant(turn, nick)
    if (target === undefined) return
    if (names === undefined) return turn.reply(numerics.ERR_NEEDMOREPARAMS, 'SAJOIN')
    for (const name of names.split(',')) bring(turn, target, name)
  },
}

export const SANICK: Command = {
  name: 'SANICK',
  minParams: 2,
  when: 'registered',
  help: "SANICK <nick> <new nick>: changes a user's nick (server operators)",
  privilege: 'sanick',
  run(turn, { params: [nick = '', wanted = ''] }) {
    const target = meant(turn, nick)
    if (target === undefined) return
    const refusal = refusesNick(turn.chat, wanted, target)
    if (refusal !== undefined) return turn.reply(refusal, wanted)
    if (target.nick !== wanted) turn.propose({ kind: 'nick.changed', user: target.key, nick: wanted })
  },
}

export const SAMODE: Command = {
  name: 'SAMODE',
  minParams: 2,
  when: 'registered',
  help: "SAMODE <channel|nick> <modes> [<parameters>]: changes modes as the channel's founder or as that user would (server operators)",
  privilege: 'samode',
  run(turn, message) {
    const [name = '', letters] = message.params
    if (isChannelName(name)) return MODE.run(withEveryChannel(turn), message, undefined)
    const target = meant(turn, name)
    if (target !== undefined) changeOwnModes({ ...turn, user: target }, name, letters)
  },
}

/** Not a bot: its channels and nick are set by its file. */
function meant({ state, reply }: UserTurn, nick: string): User | undefined {
  const target = findUser(state, nick)
  if (target === undefined) return void reply(numerics.ERR_NOSUCHNICK, nick)
  return target.isVirtual ? void reply(numerics.ERR_CANTKILLSERVER) : target
}

function bring({ chat, state, reply, propose }: UserTurn, target: User, name: string): void {
  const channel = findChannel(state, name)
  if (channel === undefined && !isValidChannelName(name, chat.settings.limits.channelLength))
    return reply(numerics.ERR_NOSUCHCHANNEL, name)
  if (channel !== undefined && membership(channel, target) !== undefined)
    return reply(numerics.ERR_USERONCHANNEL, target.nick, channel.name)
  if (target.channels.size >= chat.settings.limits.channelsPerUser)
    return reply(numerics.ERR_TOOMANYCHANNELS, name)
  propose(joining(chat, target, name))
}

function withEveryChannel(turn: UserTurn): UserTurn {
  const { user } = turn
  const oper = user.oper && {
    ...user.oper,
    privileges: [...user.oper.privileges, 'channels', 'see'] as const,
  }
  return { ...turn, user: { ...user, oper } }
}
