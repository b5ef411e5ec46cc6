// MOTD: what the server's owner wants everybody to read.
import * as numerics from '../../irc/numerics.ts'
import type { Command } from '../command.ts'
import type { Session } from '../session.ts'
import type { Chat } from '../spine.ts'
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
  for (const line of motd) chat.reply(session, numerics.RPL_MOTD, `- ${line}`)
  chat.reply(session, numerics.RPL_ENDOFMOTD)
}
