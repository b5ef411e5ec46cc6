// HELP: how to use each command.
import * as numerics from '../../irc/numerics.ts'
import { joinInLines } from '../../irc/split.ts'
import type { Command } from '../command.ts'

function help(name: string): Command {
  return {
    name,
    minParams: 0,
    when: 'registered',
    help: `${name} [<command>]: explains how to use a command`,
    run({ chat, reply }, { params: [subject = ''] }) {
      const command = chat.commands.get(subject.toUpperCase())
      if (subject !== '' && command === undefined) return reply(numerics.ERR_HELPNOTFOUND, subject)
      reply(numerics.RPL_HELPSTART, subject, command === undefined ? 'Commands of this server' : command.name)
      const lines =
        command === undefined
          ? joinInLines([...chat.commands.keys()].toSorted(), ' ', LIST_BYTES)
          : [command.help].flat()
      for (const line of lines) reply(numerics.RPL_HELPTXT, subject, line)
      reply(numerics.RPL_ENDOFHELP, subject, 'End of HELP')
    },
  }
}

export const HELP: Command = help('HELP')
export const HELPOP: Command = help('HELPOP')

const LIST_BYTES = 300
