// NAMES: who is in a channel.
import { LONGEST_ECHO } from '../../irc/message.ts'
import { CAPS } from '../../irc/caps.ts'
import { prefixesOf, type Rank } from '../../irc/modes.ts'
import * as numerics from '../../irc/numerics.ts'
import { byteLength, joinInLines } from '../../irc/split.ts'
import type { Chat } from '../chat.ts'
import type { Command, UserTurn } from '../command.ts'
import { roomFor } from '../output/line.ts'
import { tellInPieces } from '../output/pieces.ts'
import { findVisible, mayNameIn } from '../rules/see.ts'
import type { Session } from '../session.ts'
import { type Channel, maskOf, type User } from '../state.ts'

export const NAMES: Command = {
  name: 'NAMES',
  minParams: 0,
  when: 'registered',
  help: 'NAMES <channel>{,<channel>}: lists the members of channels',
  run(turn, { params: [names = ''] }) {
    if (names === '') return turn.reply(numerics.RPL_ENDOFNAMES, '*')
    const asked = new Set(names.split(',').filter((name) => name !== ''))
    tellInPieces(turn.chat, turn.session, listAll(turn, [...asked]))
  },
}

function* listAll({ chat, state, session, user, reply }: UserTurn, asked: readonly string[]): Generator {
  // Each end names all the targets that it ends.
  const ends = joinInLines(asked, ',', LONGEST_ECHO)
  for (const end of ends.length === 0 ? ['*'] : ends) {
    for (const name of end.split(',')) {
      const channel = findVisible(state, user, name)
      if (channel !== undefined) yield* listNames(chat, session, user, channel)
    }
    reply(numerics.RPL_ENDOFNAMES, end)
  }
}

/** The list and its end, as sent at JOIN. */
export function* namesOf(chat: Chat, session: Session, viewer: User, channel: Channel): Generator {
  yield* listNames(chat, session, viewer, channel)
  chat.reply(session, numerics.RPL_ENDOFNAMES, channel.name)
}

/** multi-prefix: all of a member's ranks, else the highest. */
export function prefixesFor(session: Session, ranks: readonly Rank[]): string {
  return prefixesOf(session.has(CAPS['multi-prefix']) ? ranks : ranks.slice(0, 1))
}

/** Shorter if the names of the server, the reader and the channel are long. */
const LONGEST_NAMES = 300

/** A step for each line: names gathered but not sent would be stale by the next turn. */
function* listNames(chat: Chat, session: Session, viewer: User, channel: Channel): Generator {
  const symbol = channel.flags.has('s') ? '@' : '='
  const tell = (names: string) => chat.reply(session, numerics.RPL_NAMREPLY, symbol, channel.name, names)
  const head = `${viewer.nick} ${symbol} ${channel.name}`
  const room = Math.min(roomFor(chat.settings.name, numerics.RPL_NAMREPLY.code, head), LONGEST_NAMES)
  let line = ''
  let size = 0
  for (const { user, ranks } of channel.members.values()) {
    if (!mayNameIn(channel, viewer, user)) continue
    const name =
      prefixesFor(session, ranks) + (session.has(CAPS['userhost-in-names']) ? maskOf(user) : user.nick)
    const bytes = byteLength(name) + 1
    if (line !== '' && size + bytes > room) {
      tell(line)
      yield
      line = ''
      size = 0
    }
    line += line === '' ? name : ` ${name}`
    size += bytes
  }
  if (line !== '') tell(line)
}
