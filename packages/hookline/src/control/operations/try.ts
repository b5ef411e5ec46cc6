// `hookline bot …`: trying bots out on received and sample payloads.
import type { Operation } from '../operation.ts'

const NAME = { name: 'name', description: 'full name of the bot', required: true, completes: 'bots' } as const
const LEARNED = `Learns from the payloads that \`bot capture\` put into the bot's folder; where there are none, from the newest 200 deliveries that the running
server keeps.`

export const tryOperations = [
  {
    name: 'bot validate',
    summary: 'Check bot.yaml files and handlers',
    details: 'Where no name is given, every bot. Problems come with file, line and column.',
    arguments: [{ name: 'name', description: 'full name of one bot', completes: 'bots' }],
    options: [],
    changes: false,
    where: 'files',
    examples: [{ run: 'hookline bot validate', shows: 'what is wrong, as file:line:column' }],
    exits: { 1: 'a file is wrong, or no such bot', 2: 'the home folder cannot be used' },
  },
  {
    name: 'bot test',
    summary: 'Show what a bot would say to a payload, without posting it',
    details: `Runs the filter and the template or the handler exactly as a delivery would, in a process of its own: nothing is posted, nothing is recorded,
and \`bot.state\` begins empty and is thrown away.

\`--fixture\` takes a sample payload that comes with a preset (\`github/push\`; \`hookline preset show github\` lists them), with the header that names its event, or
one that came to the bot (\`captured/…\`, see \`hookline explain bot capture\`). A preset's name alone is all of its fixtures, \`captured\` all that was captured.

\`--golden\` compares with a file beside the bot, \`golden/github/push.txt\`, and exits with 1 if the bot says something else; if there is no such file yet, it writes
it. In that file formatting is written \`\\x02\` and the like, and lines that begin with \`#\` are not part of the message: a fallback, a token without a value, why nothing is said. Made for CI:
it needs no server and no secret. See \`hookline explain testing\`.`,
    arguments: [NAME],
    options: [
      {
        name: 'payload',
        type: 'text',
        value: 'FILE',
        completes: 'files',
        description: 'file with the JSON payload; - is standard input',
      },
      {
        name: 'fixture',
        type: 'text',
        value: 'NAME',
        description: 'sample payload instead: github/push, github for all, captured/…, captured',
      },
      {
        name: 'golden',
        type: 'flag',
        description: 'compare with the file that holds what is expected; where there is none, write it',
      },
      { name: 'update', type: 'flag', description: 'write that file anew: what is said now is expected' },
      {
        name: 'as',
        type: 'text',
        value: 'NAME',
        description: 'with --payload: name of that file; without it the name of the payload',
      },
      {
        name: 'event',
        type: 'text',
        value: 'NAME',
        description: 'kind of event, as its header would name it: push',
      },
      {
        name: 'header',
        type: 'texts',
        value: 'LINE',
        description: "header of the request, 'X-GitHub-Event: push'; may be repeated",
      },
    ],
    changes: true,
    where: 'files',
    examples: [
      { run: 'hookline bot test spark-ori-ghci --fixture github/push', shows: 'what it says to a push' },
      {
        run: 'hookline bot test spark-ori-ghci --fixture github --golden',
        shows: 'whether it says of every event what it said before',
      },
      { run: 'hookline bot test spark-ori-ghci --payload push.json', shows: 'the message' },
      {
        run: `echo '{"action":"opened"}' | hookline bot test spark-ori-ghci --payload -`,
        shows: 'the same from a pipe',
      },
      {
        run: 'hookline bot test spark-ori-ghci --payload push.json --event push',
        shows: 'what the template for push says',
      },
    ],
    exits: {
      1: 'no such bot or fixture, its file is wrong, not a JSON object, the handler failed, or something else is said than expected',
      2: 'a file cannot be read',
    },
  },
  {
    name: 'bot capture',
    summary: 'Keep the last payloads that came to a bot, to try it with them',
    details: `Writes the last payloads that the running server still has into \`captured/\` of the bot's folder, each exactly as it came, as \`<event>-<delivery id>.json\`,
and beside it \`….about.json\` with its event and its headers (never those that prove the sender). The folder keeps only the newest of them, as many as \`--last\` says. A
file that you give a name of your own is never removed.

\`bot test --fixture captured\`, \`bot suggest\` and \`bot lint\` work on them, with and without a server.

**Payloads may hold personal data**: names, mail addresses, what people wrote. The files are yours alone (0600); look at one before you hand it on or commit it.
\`--clear\` removes them, and needs no server.`,
    arguments: [NAME],
    options: [
      {
        name: 'last',
        type: 'number',
        value: 'N',
        default: 20,
        range: [1, 200],
        description: 'how many, the newest',
      },
      { name: 'clear', type: 'flag', description: 'remove what was captured instead' },
    ],
    changes: true,
    where: 'either',
    examples: [
      { run: 'hookline bot capture spark-ori-ghci', shows: 'how many payloads are in its folder now' },
      { run: 'hookline bot capture spark-ori-ghci --last 60', shows: 'the same with more of them' },
      { run: 'hookline bot capture spark-ori-ghci --clear', shows: 'they are gone' },
    ],
    exits: { 1: 'no such bot', 2: 'no server is running, or the folder cannot be written' },
  },
  {
    name: 'bot suggest',
    summary: 'List the tokens that a template of a bot could have',
    details: `${LEARNED}

By event, the paths that all of its payloads have, as tokens to paste into a template, with what they are and one value. Of a list the first entry stands for all. At most
eight levels deep and 300 paths for each event, the shallow ones first.`,
    arguments: [NAME],
    options: [
      { name: 'event', type: 'text', value: 'NAME', description: 'only of this kind of event: push' },
      { name: 'some', type: 'flag', description: 'also what more than half of them have' },
    ],
    changes: false,
    where: 'files',
    examples: [
      { run: 'hookline bot suggest spark-ori-ghci --event push', shows: 'what every push has' },
      { run: 'hookline bot suggest spark-ori-ghci --some', shows: 'of every event, what most have' },
    ],
    exits: {
      1: 'no such bot, no payloads, or none of that event',
      2: 'nothing is captured and no server runs',
    },
  },
  {
    name: 'bot lint',
    summary: "Show how well a bot's messages fit the payloads that really come",
    details: `${LEARNED}

Composes each of them as a delivery would be, handlers included, and counts by event: said as meant, said with a gap, left out by the filter, fallen back, failed; which
tokens had no value and how often; which events have no template. Exits with 1 if a payload would fall back or fail: give the token a default
(\`{body.action|default:"-"}\`), the event a template, or leave the event out with \`trigger.filter\`.`,
    arguments: [NAME],
    options: [],
    changes: false,
    where: 'files',
    examples: [
      { run: 'hookline bot lint spark-ori-ghci', shows: 'in how many payloads the template resolves' },
    ],
    exits: {
      1: 'no such bot, its file is wrong, no payloads, or some would fall back or fail',
      2: 'nothing is captured and no server runs',
    },
  },
] as const satisfies readonly Operation[]
