// Speaking and listening from a terminal, without an IRC client.
import type { Operation } from '../operation.ts'

const NEEDS = { 2: 'no server is running, or it cannot be reached' }

export const chatOperations = [
  {
    name: 'send',
    summary: 'Say something in a channel or to a person',
    details: `A user with that nick appears, speaks and leaves. Without \`--as\` it is \`<server>-<login name>\`. A nick that somebody uses is refused.
Several words are joined with a space.`,
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
    exits: { 1: 'the nick is in use or wrong, or the channel refuses', ...NEEDS },
  },
  {
    name: 'watch',
    summary: 'Show what is said as it is said, until Ctrl-C',
    details: 'Where no channel is named, every one. With `--json` one object per line.',
    arguments: [{ name: 'channel', description: `a channel, as '#lobby'` }],
    options: [],
    changes: false,
    where: 'server',
    streams: true,
    examples: [{ run: `hookline watch '#lobby'`, shows: 'each line of #lobby' }],
    exits: { 1: 'not the name of a channel', ...NEEDS },
  },
  {
    name: 'history',
    summary: 'Show what was said in a channel, newest last',
    details: `Times are those of this machine's time zone; before the first message of a day that is not today stands the day.

With \`--json\` an array of objects with id, time, from, text, delivery, and how it was taken back, if it was: its text is gone then.

With \`--before\` or \`--after\` it is one page: the messages next to that one, without it. With \`--json\` the page is an object: \`messages\`, \`more\` (whether there is more that way), and
\`next\`, what the next page asks for: \`{"before":"ID"}\` or \`{"after":"ID"}\`. To read all that is new in a loop, give each run the \`next.after\` of the run before; where nothing is new
it stays the same.`,
    arguments: [{ name: 'channel', description: `a channel, as '#lobby'`, required: true }],
    options: [
      {
        name: 'limit',
        type: 'number',
        value: 'N',
        default: 50,
        range: [1, 1000],
        description: 'how many messages, the newest, or those of a page',
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
        shows: 'what was said from then on, and how to go on',
      },
    ],
    exits: { 1: 'not the name of a channel, or no message of it', ...NEEDS },
  },
  {
    name: 'history erase',
    summary: 'Erase what was said, for good',
    details: `A channel with all that was said in it, the messages between two people, or all that an account said, wherever. Nobody is told, and it cannot be had back.
What bots posted stays in the record of its delivery until that goes by its age. To take back single messages, people use REDACT, and \`bot retract\` is for deliveries.`,
    arguments: [{ name: 'channel', description: `a channel, as '#lobby'` }],
    options: [
      {
        name: 'between',
        type: 'list',
        value: 'ONE,OTHER',
        description: 'direct messages between these two, by account or nick',
      },
      { name: 'account', type: 'text', value: 'NAME', description: 'everything that this account said' },
      { name: 'yes', type: 'flag', description: 'it is meant so' },
    ],
    changes: true,
    where: 'server',
    examples: [{ run: `hookline history erase '#lobby' --yes`, shows: 'how many messages there were' }],
    exits: { 1: 'not exactly one of the three is named, or --yes is missing', ...NEEDS },
  },
] as const satisfies readonly Operation[]
