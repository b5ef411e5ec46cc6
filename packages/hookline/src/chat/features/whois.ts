// WHOIS and WHOWAS: about one user, here or gone.
import { asParam } from '../../irc/address.ts'
import { fold } from '../../irc/names.ts'
import * as numerics from '../../irc/numerics.ts'
import { joinInLines } from '../../irc/split.ts'
import { unixSeconds } from '../../irc/time.ts'
import type { Chat } from '../chat.ts'
import type { Command, UserTurn } from '../command.ts'
import { maySeeAddress, maySeeIn } from '../rules/see.ts'
import type { Service } from '../service.ts'
import { findUser, isBot, membership, type User } from '../state.ts'
import { tellWhoisMetadata } from './metadata/metadatasync.ts'
import { prefixesFor } from './names.ts'
import { findService } from './services.ts'

export const WHOIS: Command = {
  name: 'WHOIS',
  minParams: 1,
  when: 'registered',
  help: 'WHOIS [<server>] <nick>: shows information about a user',
  run(turn, { params }) {
    const nick = params[1] ?? params[0] ?? ''
    const user = findUser(turn.state, nick)
    const service = findService(nick)
    if (user !== undefined) describe(turn, user)
    else if (service !== undefined) describeService(turn, service)
    else turn.reply(numerics.ERR_NOSUCHNICK, nick)
    // "<nick> MUST be exactly the <nick> parameter sent by the client": https://modern.ircdocs.horse/#rplendofwhois-318
    turn.reply(numerics.RPL_ENDOFWHOIS, nick)
  },
}

function describe(turn: UserTurn, user: User): void {
  const { chat, session, user: viewer, reply } = turn
  const { nick, username, host, realname, away, oper, account } = user
  const sessions = chat.sessionsOf(user)
  const { name, description } = chat.settings
  reply(numerics.RPL_WHOISUSER, nick, username, host, '*', realname)
  const channels = [...user.channels.values()]
    .filter((channel) => maySeeIn(channel, viewer, user))
    .map((channel) => prefixesFor(session, membership(channel, user)?.ranks ?? []) + channel.name)
  for (const line of joinInLines(channels, ' ', 300)) reply(numerics.RPL_WHOISCHANNELS, nick, line)
  reply(numerics.RPL_WHOISSERVER, nick, name, description)
  if (oper !== undefined) reply(numerics.RPL_WHOISOPERATOR, nick, oper.title)
  if (isBot(user)) reply(numerics.RPL_WHOISBOT, nick)
  if (account !== null) reply(numerics.RPL_WHOISACCOUNT, nick, account)
  if (sessions.length === 0 ? user.isSecure : sessions.every(({ isSecure }) => isSecure))
    reply(numerics.RPL_WHOISSECURE, nick)
  if (maySeeAddress(viewer, user)) tellOrigin(turn, user)
  if (away !== undefined) reply(numerics.RPL_AWAY, nick, away)
  const idle = idleSeconds(chat, user)
  if (idle !== undefined) reply(numerics.RPL_WHOISIDLE, nick, String(idle), unixSeconds(user.signedOnAt))
  tellWhoisMetadata(turn, user)
}

/** Only for the user itself and server operators with `see`. */
function tellOrigin({ chat, reply }: UserTurn, user: User): void {
  const { nick, username, modes } = user
  for (const { certfp } of chat.sessionsOf(user)) {
    if (certfp !== undefined)
      reply(numerics.RPL_WHOISCERTFP, nick, `has client certificate fingerprint ${certfp}`)
  }
  for (const address of addressesOf(chat, user)) {
    reply(numerics.RPL_WHOISACTUALLY, nick, `${username}@${address}`, address)
    reply(numerics.RPL_WHOISHOST, nick, `is connecting from ${username}@${address} ${address}`)
  }
  reply(numerics.RPL_WHOISMODES, nick, `is using modes +${[...modes].join('')}`)
}

/** How long it has said nothing, on any connection; undefined without one. */
export function idleSeconds(chat: Chat, user: User): number | undefined {
  const sessions = chat.sessionsOf(user)
  if (sessions.length === 0) return undefined
  const last = Math.max(...sessions.map(({ spokeAt }) => spokeAt))
  return Math.floor((chat.world.elapsed() - last) / 1_000)
}

function describeService({ chat, reply }: UserTurn, { nick, about }: Service): void {
  const { name, description } = chat.settings
  reply(numerics.RPL_WHOISUSER, nick, nick, name, '*', about)
  reply(numerics.RPL_WHOISSERVER, nick, name, description)
  // Clients recognize a service by these words.
  reply(numerics.RPL_WHOISOPERATOR, nick, 'is a network service')
}

/** The addresses of its connections, fit for a line; its host if it has none. */
export function addressesOf(chat: Chat, user: User): string[] {
  const addresses = chat.sessionsOf(user).map(({ address }) => asParam(address))
  return addresses.length === 0 ? [user.host] : [...new Set(addresses)]
}

export const WHOWAS: Command = {
  name: 'WHOWAS',
  minParams: 0,
  when: 'registered',
  help: 'WHOWAS <nick> [<count>]: shows information about a user who has left',
  run({ chat, state, reply }, { params: [nick = '', count = ''] }) {
    if (nick === '') return reply(numerics.ERR_NONICKNAMEGIVEN)
    const wanted = Number(count) > 0 ? Number(count) : Infinity
    const found = state.whowas
      .filter((departed) => fold(departed.nick) === fold(nick))
      .reverse()
      .slice(0, wanted)
    if (found.length === 0) reply(numerics.ERR_WASNOSUCHNICK, nick)
    for (const departed of found) {
      reply(numerics.RPL_WHOWASUSER, departed.nick, departed.username, departed.host, '*', departed.realname)
      reply(numerics.RPL_WHOISACTUALLY, departed.nick, `${departed.username}@${departed.host}`, departed.host)
      reply(numerics.RPL_WHOISSERVER, departed.nick, chat.settings.name, new Date(departed.at).toUTCString())
    }
    reply(numerics.RPL_ENDOFWHOWAS, nick)
  },
}
