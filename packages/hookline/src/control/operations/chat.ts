// Speaking and listening from a terminal, without an IRC client.
import type { Command } from '../../commands/command.ts'
import { NEEDS_SERVER } from '../../commands/shared.ts'

export const chatOperations = [
  {
    name: 'send',
    summary: 'Say something in a channel or to a person',
    details: `A user with that nick appears, speaks and leaves. Without \`--as\` it is \`<server>-<login name>\`. A nick in use is refused.
Several words are joined with spaces.`,
    arguments: [
      { name: 'target', description: "a channel, as '#lobby', or a nick", required: true },
      { name: 'text', description: 'what to say; - reads standard input', required: true, rest: true },
    ],
    options: [
      { name: 'as', type: 'text', value: 'NICK', description: 'who says it (<server>-<login name>)' },
    ],
    changes: true,
    where: 'server',
    examples: [{ run: `hookline send '#lobby' good morning`, shows: 'a line in #lobby' }],
    exits: { 1: 'the nick is in use or wrong, or the channel refuses', ...NEEDS_SERVER },
  },
  {
    name: 'watch',
    summary: 'Show messages as they are posted, until Ctrl-C',
    details: 'Without a channel, shows all of them. With `--json`, one object per line.',
    arguments: [{ name: 'channel', description: `a channel, as '#lobby'` }],
    options: [],
    changes: false,
    where: 'server',
    streams: true,
    examples: [{ run: `hookline watch '#lobby'`, shows: 'each line of #lobby' }],
    exits: { 1: 'not a channel name', ...NEEDS_SERVER },
  },
  {
    name: 'history',
    summary: 'Show what was said in a channel, newest last',
    details: `Times are in this machine's time zone; a date line precedes the first message of each day except today.

With \`--json\` an array of objects with id, time, from, text, delivery, and, if it was retracted, how: its text is then gone.

With \`--before\` or \`--after\` it shows one page: the messages adjacent to that one, without it. With \`--json\` the page is an object: \`messages\`, \`more\` (whether more follow that way), and
\`next\`, the option for the next page: \`{"before":"ID"}\` or \`{"after":"ID"}\`. To poll for new messages, pass each run the \`next.after\` of the previous one; it stays the same
while nothing is new.`,
    arguments: [{ name: 'channel', description: `a channel, as '#lobby'`, required: true }],
    options: [
      {
        name: 'limit',
        type: 'number',
        value: 'N',
        default: 50,
        range: [1, 1000],
        description: 'how many of the newest messages, or per page',
      },
      {
        name: 'before',
        type: 'text',
        value: 'ID|TIME',
        description: 'the page before this message or time, as --json prints both',
      },
      { name: 'after', type: 'text', value: 'ID|TIME', description: 'the page after it' },
    ],
    changes: false,
    where: 'server',
    examples: [
      { run: `hookline history '#lobby' --limit 10`, shows: 'the last ten lines of #lobby' },
      {
        run: `hookline history '#lobby' --after 2026-04-03T09:15:00.000Z`,
        shows: 'what was said from then on, and how to continue',
      },
    ],
    exits: { 1: 'not a channel name, or no such message in it', ...NEEDS_SERVER },
  },
  {
    name: 'history erase',
    summary: 'Erase messages for good',
    details: `Erases all messages of a channel, all between two people, or all of an account, wherever. Nobody is notified, and it cannot be undone.
What bots posted stays in the record of its delivery until that expires. To retract single messages, people use REDACT; for deliveries there is \`bot retract\`.`,
    arguments: [{ name: 'channel', description: `a channel, as '#lobby'` }],
    options: [
      {
        name: 'between',
        type: 'list',
        value: 'ONE,OTHER',
        description: 'direct messages between these two accounts or nicks',
      },
      { name: 'account', type: 'text', value: 'NAME', description: 'everything this account said' },
      { name: 'yes', type: 'flag', description: 'confirm' },
    ],
    changes: true,
    where: 'server',
    examples: [{ run: `hookline history erase '#lobby' --yes`, shows: 'how many messages there were' }],
    exits: { 1: 'not exactly one of the three is given, or --yes is missing', ...NEEDS_SERVER },
  },
] as const satisfies readonly Command[]
