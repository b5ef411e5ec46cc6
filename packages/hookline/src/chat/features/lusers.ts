// LUSERS: how many users there are.
import * as numerics from '../../irc/numerics.ts'
import type { Chat } from '../chat.ts'
import type { Command } from '../command.ts'
import type { Session } from '../session.ts'

export const LUSERS: Command = {
  name: 'LUSERS',
  minParams: 0,
  when: 'registered',
  help: 'LUSERS: counts users and channels',
  run({ chat, session }) {
    tellLusers(chat, session)
  },
}

export function tellLusers(chat: Chat, session: Session): void {
  const { users, channels, mostUsers, invisible, operators } = chat.state
  const total = users.size
  chat.reply(
    session,
    numerics.RPL_LUSERCLIENT,
    `There are ${total - invisible} users and ${invisible} invisible on 1 servers`,
  )
  chat.reply(session, numerics.RPL_LUSEROP, String(operators))
  chat.reply(session, numerics.RPL_LUSERUNKNOWN, String(chat.unregistered))
  chat.reply(session, numerics.RPL_LUSERCHANNELS, String(channels.size))
  chat.reply(session, numerics.RPL_LUSERME, `I have ${total} clients and 0 servers`)
  chat.reply(
    session,
    numerics.RPL_LOCALUSERS,
    String(total),
    String(mostUsers),
    `Current local users ${total}, max ${mostUsers}`,
  )
  chat.reply(
    session,
    numerics.RPL_GLOBALUSERS,
    String(total),
    String(mostUsers),
    `Current global users ${total}, max ${mostUsers}`,
  )
}
