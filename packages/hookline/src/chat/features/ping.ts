// PING and PONG: is anybody there.
import * as numerics from '../../irc/numerics.ts'
import type { Command } from '../command.ts'

export const PING: Command = {
  name: 'PING',
  minParams: 1,
  when: 'always',
  help: 'PING <token>: the server answers PONG <token>',
  run({ chat, session, reply }, { params: [token = ''] }) {
    if (token === '') return reply(numerics.ERR_NOORIGIN)
    session.send(chat.line({ command: 'PONG', params: [chat.settings.name, token], at: chat.world.now() }))
  },
}

/** That a line came is all it tells. */
export const PONG: Command = {
  name: 'PONG',
  minParams: 0,
  when: 'always',
  help: 'PONG <token>: answers a PING of the server',
  run() {},
}
