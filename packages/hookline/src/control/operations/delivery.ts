// `hookline bot …`: showing what bots did, repeating it, and taking it back.
import type { Operation } from '../operation.ts'

const NAME = { name: 'name', description: 'full name of the bot', required: true, completes: 'bots' } as const
const NEEDS = 'no server is running, or it cannot be reached'
const LIMIT = {
  name: 'limit',
  type: 'number',
  value: 'N',
  default: 20,
  range: [1, 1000],
  description: 'how many, the newest',
} as const

export const deliveryOperations = [
  {
    name: 'bot logs',
    summary: 'Show what came to a bot, what it said and what failed',
    details:
      'The last deliveries with outcome, message and error, then what the server log says of the bot: why a request was refused and what its handler prints are there. The log is a file only where the server was started with `--detach`.',
    arguments: [NAME],
    options: [LIMIT],
    changes: false,
    where: 'server',
    examples: [{ run: 'hookline bot logs spark-ori-ghci', shows: 'what came, what was said, what failed' }],
    exits: { 1: 'no such bot', 2: NEEDS },
  },
  {
    name: 'bot deliveries',
    summary: 'List deliveries',
    details: `One line each, newest last. The id is what \`bot replay\` takes. To go back, give \`--before\` the first id of what was shown, or a time such as
2026-04-03T09:15:00.000Z, as \`--json\` prints it; where nothing is older, nothing is shown.`,
    arguments: [{ name: 'name', description: 'full name of one bot', completes: 'bots' }],
    options: [
      { name: 'failed', type: 'flag', description: 'only those that failed' },
      { name: 'before', type: 'text', value: 'ID|TIME', description: 'only those that came before it' },
      LIMIT,
    ],
    changes: false,
    where: 'server',
    examples: [{ run: 'hookline bot deliveries spark-ori-ghci --failed', shows: 'ids of what failed' }],
    exits: { 1: 'no such bot, or no such delivery', 2: NEEDS },
  },
  {
    name: 'bot deliveries show',
    summary: 'Show one delivery whole: payload, headers, outcome',
    details: 'The payload is as it came. Headers that prove the sender are not kept.',
    arguments: [{ name: 'id', description: 'id of the delivery', required: true }],
    options: [],
    changes: false,
    where: 'server',
    examples: [
      { run: 'hookline bot deliveries show d-1m7z3k1qcne6jhqfh', shows: 'what came and what became of it' },
    ],
    exits: { 1: 'no such delivery', 2: NEEDS },
  },
  {
    name: 'bot replay',
    summary: 'Run a delivery again, from its recorded body',
    details: `The bot composes and posts it with its present settings, under the same id. With \`--failed\` every delivery that failed, the oldest first, at
most 1,000. A replay is told at once, whatever \`output.burst\` and \`output.coalesce\` say. One that takes longer than a sender would wait for is \`pending\`:
\`bot deliveries show\` says what came of it.`,
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
      2: NEEDS,
    },
  },
  {
    name: 'bot retract',
    summary: 'Take back what a delivery said',
    details: `Takes the id of a delivery, or of one of its messages. Every message of it goes, in every channel and at the owner: clients that know
message redaction remove or mark it, others keep what they saw. Its text leaves the history, and what waited for somebody who is away is
dropped. The record of the delivery stays, with its text and payload, and says that it was taken back; \`bot replay\` would say it again.
A notice that has woken somebody is heard and cannot be taken back.`,
    arguments: [{ name: 'id', description: 'id of a delivery or of a message', required: true }],
    options: [
      { name: 'reason', type: 'text', value: 'TEXT', description: 'why; everybody who is told sees it' },
    ],
    changes: true,
    where: 'server',
    examples: [
      { run: 'hookline bot retract d-1m7z3k1qcne6jhqfh', shows: 'where it was taken back' },
      {
        run: `hookline bot retract d-1m7z3k1qcne6jhqfh --reason 'wrong channel'`,
        shows: 'the same, and everybody sees why',
      },
    ],
    exits: { 1: 'nothing of that id, or nothing of it is in the chat', 2: NEEDS },
  },
  {
    name: 'bot why',
    summary: 'Say why a message was posted: payload, template, who was woken',
    details: `Takes the id of a message (its \`msgid\` tag; \`hookline history --json\` shows it) or of a delivery (the tag \`hookline/delivery\` on every line that a
bot posts). Shows what came, what made the text and where that stands in the bot's files, tokens that named nothing, and who was woken.`,
    arguments: [{ name: 'id', description: 'id of a message or of a delivery', required: true }],
    options: [],
    changes: false,
    where: 'server',
    examples: [{ run: 'hookline bot why d-1m7z3k1qcne6jhqfh', shows: 'what came and what was made of it' }],
    exits: { 1: 'nothing of that id, or no delivery caused it', 2: NEEDS },
  },
] as const satisfies readonly Operation[]
