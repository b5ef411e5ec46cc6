// REHASH: reads the configuration again.
import * as numerics from '../../irc/numerics.ts'
import { splitText } from '../../irc/split.ts'
import type { Command } from '../command.ts'
import { roomFor } from '../output/line.ts'
import type { World } from '../world.ts'

type Outcome = Awaited<ReturnType<World['rehash']>>

export const REHASH: Command<Outcome> = {
  name: 'REHASH',
  minParams: 0,
  when: 'registered',
  help: 'REHASH: reloads server.yaml and the bots (server operators)',
  privilege: 'rehash',
  prepare({ chat }) {
    return chat.world.rehash()
  },
  run({ chat, session, user, reply }, _, { isApplied, warnings }) {
    if (isApplied) reply(numerics.RPL_REHASHING, 'server.yaml')
    const notice = (text: string) => session.send(chat.line({ command: 'NOTICE', params: [user.nick, text] }))
    const room = roomFor(chat.settings.name, 'NOTICE', user.nick)
    const lines = warnings
      .flatMap((warning) => warning.split(/[\r\n]+/))
      .flatMap((line) => splitText(isApplied ? line : `Nothing changed: ${line}`, room))
    for (const line of lines.slice(0, LINES)) notice(line)
    if (lines.length > LINES)
      notice(`${lines.length - LINES} more: to see them all, run hookline server reload`)
  },
}

/** Hundreds of bots may have faults. */
const LINES = 20
