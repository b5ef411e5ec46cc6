// MOTD: what the server's owner wants everybody to read.
import * as numerics from '../../irc/numerics.ts'
import { splitText } from '../../irc/split.ts'
import type { Chat } from '../chat.ts'
import type { Command } from '../command.ts'
import { roomFor } from '../output/line.ts'
import type { Session } from '../session.ts'
import { namesThisServer } from './thisserver.ts'

export const MOTD: Command = {
  name: 'MOTD',
  minParams: 0,
  when: 'registered',
  help: 'MOTD: shows the message of the day',
  run(turn, { params: [server] }) {
    if (namesThisServer(turn, server)) tellMotd(turn.chat, turn.session)
  },
}

export function tellMotd(chat: Chat, session: Session): void {
  const { motd, name } = chat.settings
  if (motd === undefined) return chat.reply(session, numerics.ERR_NOMOTD)
  chat.reply(session, numerics.RPL_MOTDSTART, `- ${name} Message of the day -`)
  const room = roomFor(name, numerics.RPL_MOTD.code, session.nick) - '- '.length
  for (const line of motd.flatMap((each) => splitText(each, room)))
    chat.reply(session, numerics.RPL_MOTD, `- ${line}`)
  chat.reply(session, numerics.RPL_ENDOFMOTD)
}
