// HELP: how to use each command, and what moderators look up.
import { CHANNEL_MODE_TEXTS, USER_MODE_TEXTS } from '../../irc/modes.ts'
import * as numerics from '../../irc/numerics.ts'
import { joinInLines } from '../../irc/split.ts'
import type { Chat } from '../chat.ts'
import type { Command } from '../command.ts'
import { ENTRY_TEXTS } from '../rules/ban.ts'

function help(name: string): Command {
  return {
    name,
    minParams: 0,
    when: 'registered',
    help: `${name} [<command> | <topic>]: explains how to use a command, or a topic`,
    run({ chat, reply }, { params: [subject = ''] }) {
      const found = subject === '' ? overview(chat) : pageOf(chat, subject.toUpperCase())
      if (found === undefined) return reply(numerics.ERR_HELPNOTFOUND, subject)
      reply(numerics.RPL_HELPSTART, subject, found.title)
      for (const line of found.lines) reply(numerics.RPL_HELPTXT, subject, line)
      reply(numerics.RPL_ENDOFHELP, subject, 'End of HELP')
    },
  }
}

export const HELP: Command = help('HELP')
export const HELPOP: Command = help('HELPOP')

interface Page {
  readonly title: string
  readonly lines: readonly string[]
}

/** Pages about something else than a command, by name. */
export const topics: ReadonlyMap<string, Page> = new Map([
  [
    'CMODES',
    {
      title: 'Channel modes',
      lines: [...linesOf(CHANNEL_MODE_TEXTS), 'HELP EXTBAN: how masks in b, e and I are written'],
    },
  ],
  ['UMODES', { title: 'User modes', lines: linesOf(USER_MODE_TEXTS) }],
  ['EXTBAN', { title: 'Masks in the channel modes b, e and I', lines: ENTRY_TEXTS }],
])

function linesOf(texts: Readonly<Record<string, string>>): string[] {
  return Object.entries(texts).map(([mode, text]) => `+${mode}: ${text}`)
}

function overview({ commands }: Chat): Page {
  const names = joinInLines([...commands.keys()].toSorted(), ' ', LIST_BYTES)
  return {
    title: 'Commands of this server',
    lines: [...names, `Topics: ${[...topics.keys()].join(' ')}`, WHOM_TO_ASK],
  }
}

const LIST_BYTES = 300
const WHOM_TO_ASK = 'STATS p lists the server operators who are here'

function pageOf({ commands }: Chat, name: string): Page | undefined {
  const command = commands.get(name)
  return command === undefined ? topics.get(name) : { title: name, lines: [command.help].flat() }
}
