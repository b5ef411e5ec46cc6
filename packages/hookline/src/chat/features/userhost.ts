// USERHOST and ISON: short questions about a few nicks.
import * as numerics from '../../irc/numerics.ts'
import type { Command } from '../command.ts'
import { findUser, type User } from '../state.ts'

export const USERHOST: Command = {
  name: 'USERHOST',
  minParams: 1,
  when: 'registered',
  help: 'USERHOST <nick>{ <nick>}: tells where up to five users are from, and who is away',
  run({ state, reply }, { params }) {
    const found = params
      .slice(0, 5)
      .map((nick) => findUser(state, nick))
      .filter((user) => user !== undefined)
    reply(numerics.RPL_USERHOST, found.map(described).join(' '))
  },
}

/** `nick*=+user@host`: `*` an operator, `-` away, `+` here. */
function described({ nick, username, host, away, oper }: User): string {
  return `${nick}${oper === undefined ? '' : '*'}=${away === undefined ? '+' : '-'}${username}@${host}`
}

export const ISON: Command = {
  name: 'ISON',
  minParams: 1,
  when: 'registered',
  help: 'ISON <nick>{ <nick>}: tells which of these are here',
  run({ state, reply }, { params }) {
    const nicks = params.flatMap((param) => param.split(' ')).filter((nick) => nick !== '')
    reply(numerics.RPL_ISON, nicks.flatMap((nick) => findUser(state, nick)?.nick ?? []).join(' '))
  },
}
