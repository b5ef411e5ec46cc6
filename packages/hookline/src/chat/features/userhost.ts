// USERHOST and ISON: short questions about a few nicks.
import * as numerics from '../../irc/numerics.ts'
import { joinInLines } from '../../irc/split.ts'
import type { Command, UserTurn } from '../command.ts'
import { roomFor } from '../output/line.ts'
import { findUser, type User } from '../state.ts'
import { findService } from './services.ts'

export const USERHOST: Command = {
  name: 'USERHOST',
  minParams: 1,
  when: 'registered',
  help: 'USERHOST <nick>{ <nick>}: shows the hosts of up to five users, and who is away',
  run(turn, { params }) {
    const found = params
      .slice(0, 5)
      .map((nick) => findUser(turn.state, nick))
      .filter((user) => user !== undefined)
    tellWhole(turn, numerics.RPL_USERHOST, found.map(described))
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
  help: 'ISON <nick>{ <nick>}: shows which of these nicks are online',
  run(turn, { params }) {
    const nicks = params.flatMap((param) => param.split(' ')).filter((nick) => nick !== '')
    const here = nicks.flatMap((nick) => (findUser(turn.state, nick) ?? findService(nick))?.nick ?? [])
    tellWhole(turn, numerics.RPL_ISON, here)
  },
}

/** In one line, unless a word would be cut there: a truncated nick could be somebody else's. */
function tellWhole(
  { chat, user, reply }: UserTurn,
  numeric: numerics.Numeric,
  words: readonly string[],
): void {
  const lines = joinInLines(words, ' ', roomFor(chat.settings.name, numeric.code, user.nick))
  for (const line of lines.length === 0 ? [''] : lines) reply(numeric, line)
}
