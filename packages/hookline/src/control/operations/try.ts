// `hookline bot …`: trying bots out on received and sample payloads.
import type { Command } from '../../commands/command.ts'
import { BOT_NAME } from '../../commands/shared.ts'

const LEARNED = `Uses the payloads that \`bot capture\` put into the bot's folder; if there are none, the newest 200 deliveries that the running
server keeps.`

export const tryOperations = [
  {
    name: 'bot validate',
    summary: 'Check bot.yaml files and handlers',
    details:
      'Without a name, checks every bot. Problems are given with file, line and column. With `--json` every bot has its own on stdout.',
    arguments: [{ name: 'name', description: 'full name of one bot', completes: 'bots' }],
    options: [],
    changes: false,
    where: 'files',
    examples: [{ run: 'hookline bot validate', shows: 'what is wrong, as file:line:column' }],
    exits: { 1: 'a file is wrong, or no such bot', 2: 'the home folder cannot be used' },
  },
  {
    name: 'bot test',
    summary: 'Show what a bot would say for a payload, without posting it',
    details: `Runs the filter and the template or the handler exactly as a delivery would, in a separate process: nothing is posted or recorded,
and \`bot.state\` starts empty and is discarded.

\`--fixture\` takes a sample payload of a preset (\`github/push\`; \`hookline preset show github\` lists them), with the header that names its event, or
a captured one (\`captured/…\`, see \`hookline explain bot capture\`). A preset's name alone means all of its fixtures, \`captured\` all captured payloads.

\`--golden\` compares the output with a file beside bot.yaml, \`golden/github/push.txt\`, and exits with 1 if it differs; if the file is missing, it is
written. In it, formatting is written as \`\\x02\` and the like, and lines that begin with \`#\` are not part of the message: a fallback, a token without a value, why nothing is said. Made for CI:
it needs no server and no secret. See \`hookline explain testing\`.`,
    arguments: [BOT_NAME],
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
        description: 'sample payload: github/push, github for all, captured/…, captured for all',
      },
      {
        name: 'golden',
        type: 'flag',
        description: 'compare with the expected output in a file; write the file if it is missing',
      },
      { name: 'update', type: 'flag', description: 'overwrite that file with the current output' },
      {
        name: 'as',
        type: 'text',
        value: 'NAME',
        description: "with --payload: name of that file; default: the payload's name",
      },
      {
        name: 'event',
        type: 'text',
        value: 'NAME',
        description: 'event type, as its header would name it: push',
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
      { run: 'hookline bot test spark-ori-ghci --fixture github/push', shows: 'what it says for a push' },
      {
        run: 'hookline bot test spark-ori-ghci --fixture github --golden',
        shows: 'whether it says the same as before for every event',
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
      1: 'no such bot or fixture, its file is wrong, not a JSON object, the handler failed, or the output is not as expected',
      2: 'a file cannot be read',
    },
  },
  {
    name: 'bot capture',
    summary: 'Save the last payloads a bot received, to test it with them',
    details: `Writes the last payloads that the running server still has into \`captured/\` in the bot's folder, each exactly as received, as \`<event>-<delivery id>.json\`,
and beside it \`….about.json\` with its event and its headers (never those that authenticate the sender). The folder keeps only the newest \`--last\` of them. A
file that you rename is never removed.

\`bot test --fixture captured\`, \`bot suggest\` and \`bot lint\` use them, with or without a server.

**Payloads may contain personal data**: names, email addresses, what people wrote. Only you can read the files (0600); check one before you share or commit it.
\`--clear\` removes them, and needs no server.`,
    arguments: [BOT_NAME],
    options: [
      {
        name: 'last',
        type: 'number',
        value: 'N',
        range: [1, 200],
        description: 'how many of the newest (20)',
      },
      { name: 'clear', type: 'flag', description: 'remove the captured payloads instead' },
    ],
    changes: true,
    where: 'either',
    examples: [
      { run: 'hookline bot capture spark-ori-ghci', shows: 'how many payloads are in its folder now' },
      { run: 'hookline bot capture spark-ori-ghci --last 60', shows: 'the same with more of them' },
      { run: 'hookline bot capture spark-ori-ghci --clear', shows: 'they are removed' },
    ],
    exits: {
      1: 'no such bot, or --clear and --last together',
      2: 'no server is running, or the folder cannot be written',
    },
  },
  {
    name: 'bot suggest',
    summary: 'List the tokens that a template of a bot could use',
    details: `${LEARNED}

For each event, the paths that all its payloads have, as tokens to paste into a template, with type and one value. For a list, the first entry stands for all. At most
eight levels deep and 300 paths per event, the shallow ones first.`,
    arguments: [BOT_NAME],
    options: [
      { name: 'event', type: 'text', value: 'NAME', description: 'only this event type: push' },
      { name: 'some', type: 'flag', description: 'also paths that more than half of them have' },
    ],
    changes: false,
    where: 'files',
    examples: [
      { run: 'hookline bot suggest spark-ori-ghci --event push', shows: 'the paths of every push' },
      { run: 'hookline bot suggest spark-ori-ghci --some', shows: 'the paths most have, per event' },
    ],
    exits: {
      1: 'no such bot, no payloads, or none of that event',
      2: 'nothing is captured and no server runs',
    },
  },
  {
    name: 'bot lint',
    summary: "Check a bot's messages against the payloads it really receives",
    details: `${LEARNED}

Composes a message for each as for a delivery, handlers included, and counts per event: complete, with a gap, filtered out, fallen back, failed; which
tokens had no value and how often; which events have no template. Exits with 1 if a payload would fall back or fail: give the token a default
(\`{body.action|default:"-"}\`), the event a template, or exclude the event with \`trigger.filter\`.`,
    arguments: [BOT_NAME],
    options: [],
    changes: false,
    where: 'files',
    examples: [
      { run: 'hookline bot lint spark-ori-ghci', shows: 'for how many payloads the template resolves' },
    ],
    exits: {
      1: 'no such bot, its file is wrong, no payloads, or some would fall back or fail',
      2: 'nothing is captured and no server runs',
    },
  },
] as const satisfies readonly Command[]
