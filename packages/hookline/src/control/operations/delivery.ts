// `hookline bot …`: showing what bots did, repeating it, and taking it back.
import type { Command } from '../../commands/command.ts'
import { BOT_NAME, NEEDS_SERVER } from '../../commands/shared.ts'

const LIMIT = {
  name: 'limit',
  type: 'number',
  value: 'N',
  default: 20,
  range: [1, 1000],
  description: 'how many of the newest',
} as const

export const deliveryOperations = [
  {
    name: 'bot logs',
    summary: 'Show what a bot received, what it said and what failed',
    details:
      'The last deliveries, and what was refused, with outcome, message and error, then what the server log says of the bot, such as what its handler printed. The log is a file only if the server was started with `--detach`.',
    arguments: [BOT_NAME],
    options: [LIMIT],
    changes: false,
    where: 'server',
    examples: [
      { run: 'hookline bot logs spark-ori-ghci', shows: 'what it received, what it said, what failed' },
    ],
    exits: { 1: 'no such bot', ...NEEDS_SERVER },
  },
  {
    name: 'bot deliveries',
    summary: 'List deliveries',
    details: `One line each, newest last. The id is what \`bot replay\` takes. To page back, pass \`--before\` the first id shown, or a time such as
2026-04-03T09:15:00.000Z, as \`--json\` prints it; if nothing is older, nothing is shown.

Of what a bot refused, the newest 100 are kept, without payload and id; what comes again within a minute is counted as an attempt of the same.`,
    arguments: [{ name: 'name', description: 'full name of one bot', completes: 'bots' }],
    options: [
      { name: 'failed', type: 'flag', description: 'only those that failed' },
      { name: 'refused', type: 'flag', description: 'what was refused, and why, in place of them' },
      { name: 'before', type: 'text', value: 'ID|TIME', description: 'only those before it' },
      LIMIT,
    ],
    changes: false,
    where: 'server',
    examples: [{ run: 'hookline bot deliveries spark-ori-ghci --failed', shows: 'ids of what failed' }],
    exits: { 1: 'no such bot, or no such delivery', ...NEEDS_SERVER },
  },
  {
    name: 'bot deliveries show',
    summary: 'Show one delivery in full: payload, headers, outcome',
    details: 'The payload is as received. Headers that authenticate the sender are not kept.',
    arguments: [{ name: 'id', description: 'id of the delivery', required: true }],
    options: [],
    changes: false,
    where: 'server',
    examples: [
      { run: 'hookline bot deliveries show d-1m7z3k1qcne6jhqfh', shows: 'the payload and its outcome' },
    ],
    exits: { 1: 'no such delivery', ...NEEDS_SERVER },
  },
  {
    name: 'bot replay',
    summary: 'Run a delivery again, from its recorded body',
    details: `The bot composes and posts it with its current settings, under the same id. With \`--failed\` every delivery that failed, the oldest first, at
most 1,000; Ctrl-C stops after the one that runs. A replay is posted at once, regardless of \`output.burst\` and \`output.coalesce\`; if the payload is
older than five minutes, the message begins with the time at which it came. One that takes longer than a sender would wait is \`pending\`:
\`bot deliveries show\` shows its outcome.`,
    arguments: [{ name: 'id', description: 'id of the delivery' }],
    options: [
      { name: 'failed', type: 'flag', description: 'every delivery that failed' },
      { name: 'bot', type: 'text', value: 'NAME', description: 'with --failed: only those of this bot' },
    ],
    changes: true,
    where: 'server',
    examples: [
      { run: 'hookline bot replay d-1m7z3k1qcne6jhqfh', shows: 'what was posted this time' },
      {
        run: 'hookline bot replay --failed --bot spark-ori-ci',
        shows: 'what was posted of all that had failed',
      },
    ],
    exits: {
      1: 'no such delivery; some failed again, or were not run because their bot is not active',
      ...NEEDS_SERVER,
    },
  },
  {
    name: 'bot retract',
    summary: 'Retract the messages of a delivery',
    details: `Takes the id of a delivery, or of one of its messages. All its messages are retracted, in every channel and at the owner: clients that support
message redaction remove or mark them, others keep what they showed. The text leaves the history, and what waited for somebody who is away is
dropped. The record of the delivery stays, with its text and payload, marked as retracted; \`bot replay\` would post it again.
A notice that has already woken somebody cannot be retracted.`,
    arguments: [{ name: 'id', description: 'id of a delivery or of a message', required: true }],
    options: [
      { name: 'reason', type: 'text', value: 'TEXT', description: 'why; shown to everybody who is told' },
    ],
    changes: true,
    where: 'server',
    examples: [
      { run: 'hookline bot retract d-1m7z3k1qcne6jhqfh', shows: 'where it was retracted' },
      {
        run: `hookline bot retract d-1m7z3k1qcne6jhqfh --reason 'wrong channel'`,
        shows: 'the same, and everybody sees why',
      },
    ],
    exits: { 1: 'no such id, or none of its messages is in the chat', ...NEEDS_SERVER },
  },
  {
    name: 'bot why',
    summary: 'Show why a message was posted: payload, template, who was woken',
    details: `Takes the id of a message (its \`msgid\` tag; \`hookline history --json\` shows it) or of a delivery (the tag \`hookline/delivery\` on every line that a
bot posts). Shows the payload, what produced the text and where that is in the bot's files, tokens without a value, and who was woken.`,
    arguments: [{ name: 'id', description: 'id of a message or of a delivery', required: true }],
    options: [],
    changes: false,
    where: 'server',
    examples: [{ run: 'hookline bot why d-1m7z3k1qcne6jhqfh', shows: 'the payload and what was made of it' }],
    exits: { 1: 'no such id, or no delivery caused it', ...NEEDS_SERVER },
  },
] as const satisfies readonly Command[]
