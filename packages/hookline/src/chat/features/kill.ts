// KILL: a server operator disconnects somebody.
import * as numerics from '../../irc/numerics.ts'
import { cutText } from '../../irc/split.ts'
import type { Command } from '../command.ts'
import { findUser } from '../state.ts'

export const KILL: Command = {
  name: 'KILL',
  minParams: 1,
  when: 'registered',
  help: 'KILL <nick> [:<reason>]: disconnects a user (server operators)',
  privilege: 'kill',
  run({ chat, state, user, reply }, { params: [nick = '', reason] }) {
    const target = findUser(state, nick)
    if (target === undefined) return reply(numerics.ERR_NOSUCHNICK, nick)
    if (target.isVirtual) return reply(numerics.ERR_CANTKILLSERVER)

    const why = cutText(reason || 'No reason given', chat.settings.limits.kickLength)
    const line = chat.lineOf(user, { at: chat.world.now() }, 'KILL', [target.nick, why])
    for (const session of chat.sessionsOf(target)) session.sendUnlabelled(line)
    // An always-on user goes too, until the next login.
    chat.end(target, `Killed (${user.nick} (${why}))`)
  },
}
