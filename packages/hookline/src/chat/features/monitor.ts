// MONITOR: being told when somebody comes or goes. The list belongs to a connection and ends with it.
// https://ircv3.net/specs/extensions/monitor
import { LONGEST_ECHO } from '../../irc/message.ts'
import { isBotNick, isNick, nickKey } from '../../irc/names.ts'
import * as numerics from '../../irc/numerics.ts'
import { joinInLines } from '../../irc/split.ts'
import type { Chat } from '../chat.ts'
import type { Command, UserTurn } from '../command.ts'
import { isServiceNick, maskOfService } from '../service.ts'
import type { Line } from '../output/line.ts'
import type { Session } from '../session.ts'
import { findUser, maskOf, type User } from '../state.ts'
import { tellOnline } from './metadata/metadatasync.ts'
import { findService } from './services.ts'

export const MONITOR: Command = {
  name: 'MONITOR',
  minParams: 1,
  when: 'registered',
  help: [
    'MONITOR + <nick>{,<nick>}: notifies you when these nicks come online or go offline, and shows which are online now',
    'MONITOR - <nick>{,<nick>}: removes these nicks from your list',
    'MONITOR C: clears your list',
    'MONITOR L: shows your list',
    'MONITOR S: shows who on your list is online',
  ],
  run(turn, { params: [action = '', targets = ''] }) {
    const { chat, session } = turn
    const nicks = targets.split(',').filter((nick) => nick !== '')
    switch (action.toUpperCase()) {
      case '+':
        return add(turn, nicks)
      case '-':
        for (const nick of nicks) chat.monitors.drop(session, nickKey(nick))
        return
      case 'C':
        return chat.monitors.forget(session)
      case 'L':
        tellInLines(turn, numerics.RPL_MONLIST, [...session.monitored.values()])
        return turn.reply(numerics.RPL_ENDOFMONLIST)
      case 'S':
        return tellStatus(turn, [...session.monitored.values()])
      default:
        return turn.reply(numerics.ERR_NEEDMOREPARAMS, 'MONITOR')
    }
  },
}

/** Adds as many as the limit allows; the reply names the rest. What cannot be a nick is skipped. */
function add(turn: UserTurn, nicks: readonly string[]): void {
  const { chat, session } = turn
  const limit = chat.settings.limits.monitorTargets
  const added: string[] = []
  const refused: string[] = []
  const once = new Map(nicks.map((nick) => [nickKey(nick), nick]))
  for (const nick of once.values()) {
    if (!isNick(nick, NICK_BYTES) && !isBotNick(nick) && !isServiceNick(nick)) continue
    if (session.monitored.size >= limit && !session.monitored.has(nickKey(nick))) refused.push(nick)
    else {
      chat.monitors.follow(session, nick)
      added.push(nick)
    }
  }
  tellStatus(turn, added)
  for (const line of joinInLines(refused, ',', LONGEST_ECHO))
    turn.reply(numerics.ERR_MONLISTFULL, String(limit), line)
}

function tellStatus(turn: UserTurn, nicks: readonly string[]): void {
  const here = nicks.flatMap((nick) => findUser(turn.state, nick) ?? [])
  // Services are always here.
  const services = nicks.flatMap((nick) => findService(nick) ?? [])
  const gone = nicks.filter((nick) => !findUser(turn.state, nick) && !findService(nick))
  const masks = services.map((service) => maskOfService(service, turn.chat.settings.name))
  tellInLines(turn, numerics.RPL_MONONLINE, [...here.map(maskOf), ...masks])
  tellInLines(turn, numerics.RPL_MONOFFLINE, gone)
  tellOnline(turn.chat, turn.session, here)
}

/** Independent of NICKLEN, which may have been more when a nick was taken. */
const NICK_BYTES = 64
const LONGEST_LIST = 350

function tellInLines({ reply }: UserTurn, numeric: numerics.Numeric, words: readonly string[]): void {
  for (const line of joinInLines(words, ',', LONGEST_LIST)) reply(numeric, line)
}

export function tellCame(chat: Chat, user: User): void {
  for (const session of chat.monitors.of(user)) {
    tell(session, user, chat.numeric(session, numerics.RPL_MONONLINE, [maskOf(user)]))
    tellOnline(chat, session, [user])
  }
}

/** `nick`: what `user` was called. */
export function tellWent(chat: Chat, nick: string, user: User): void {
  for (const session of chat.monitors.of({ nick }))
    tell(session, user, chat.numeric(session, numerics.RPL_MONOFFLINE, [nick]))
}

/** A client that monitors its own nick is told with the answer to its NICK, not before. */
function tell(session: Session, about: User, line: Line): void {
  if (session.user === about) session.send(line)
  else session.sendUnlabelled(line)
}
