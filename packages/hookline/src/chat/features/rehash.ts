// REHASH: reads the configuration again, for everybody's next command.
import * as numerics from '../../irc/numerics.ts'
import type { Command } from '../command.ts'

type Outcome = Awaited<ReturnType<import('../spine.ts').World['rehash']>>

export const REHASH: Command = {
  name: 'REHASH',
  minParams: 0,
  when: 'registered',
  help: 'REHASH: reads server.yaml and the bots again (server operators)',
  privilege: 'rehash',
  prepare({ chat }) {
    return chat.world.rehash()
  },
  run({ chat, session, reply }, _, prepared) {
    const outcome = prepared as Outcome
    if (outcome.ok) return reply(numerics.RPL_REHASHING, 'server.yaml')
    session.send(
      chat.line({
        command: 'NOTICE',
        params: [session.user?.nick ?? '*', `Nothing changed: ${outcome.reason}`],
      }),
    )
  },
}
