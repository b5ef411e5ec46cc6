// PING and PONG: checking that a connection is alive.
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

/** All it tells is that a line came. */
export const PONG: Command = {
  name: 'PONG',
  minParams: 0,
  when: 'always',
  help: 'PONG <token>: answers a PING from the server',
  run() {},
}
