// `hookline bot …`: creating and changing bots.
import { AUTH_TYPE_NAMES } from '../../bots/authtypes.ts'
import type { Command } from '../../commands/command.ts'
import { NEEDS_ITS_TURN, NEEDS_SERVER } from '../../commands/shared.ts'
import { TRIGGER_EDITS, TRIGGER_OPTIONS } from '../../commands/bot/triggeroptions.ts'

const NAME = {
  name: 'name',
  description: 'full name of the bot: <owner>-<name>',
  required: true,
  completes: 'bots',
} as const
const UNKNOWN = 'no such bot'

const CHANNELS = {
  name: 'channels',
  type: 'list',
  value: 'LIST',
  description: 'channels to post to, separated by commas or spaces; may be repeated',
} as const
const AUTH = {
  name: 'auth',
  type: 'text',
  value: 'TYPE',
  choices: AUTH_TYPE_NAMES,
  description: 'how requests authenticate (github); none: every sender is accepted',
} as const
const AUTH_HEADER = {
  name: 'authHeader',
  type: 'text',
  value: 'NAME',
  description: 'signature or token header, for --auth hmac, token and grafana',
} as const
const THREAD = {
  name: 'thread',
  type: 'text',
  value: 'TEXT',
  description: 'tokens; messages with equal values are replies to the first',
} as const
const FALLBACK = {
  name: 'fallback',
  type: 'text',
  value: 'KIND',
  choices: ['json', 'summary', 'skip', 'error'],
  description: 'what to post if no template matches or a token has no value (json: the payload)',
} as const
const PRESET_HELP = 'built-in templates: see hookline preset list'
const SECRET_HELP = `\`--secret generate\` generates a secret, writes it to bot.yaml and prints it once, with what to enter at the sender. \`env:NAME\` and
\`file:PATH\` keep it out of the file, \`-\` reads it from standard input. Do not type a secret on the command line: it stays in the
shell's history. \`--auth\` says how the sender authenticates: the sender's name if it is listed, else \`standard\`, \`token\`,
\`basic\` or \`hmac\`; see \`hookline explain authentication\`.`

export const botOperations = [
  {
    name: 'bot create',
    summary: 'Create a bot',
    details: `Writes \`bots/<owner>-<name>/bot.yaml\`. The bot exists but is not active (its URL answers 503) until \`bot start\`, \`--start\`
or the next start of the server. An existing bot is never overwritten. The owner is a nick prefixed with the server's name:
\`spark-ori\` on the server \`spark\`. On a terminal, missing values are prompted for.

${SECRET_HELP}`,
    arguments: [
      { name: 'name', description: 'short name; the bot is called <owner>-<name>', required: true },
    ],
    options: [
      {
        name: 'owner',
        type: 'text',
        value: 'NICK',
        required: true,
        description: "its owner, prefixed with the server's name: spark-ori",
      },
      CHANNELS,
      { name: 'mention', type: 'text', value: 'NICK', description: 'agent to @mention, which wakes it' },
      {
        name: 'template',
        type: 'text',
        value: 'TEXT',
        description: 'message with {body.field} tokens, or - (stdin); default: the payload',
      },
      { name: 'preset', type: 'text', value: 'NAME', description: PRESET_HELP },
      { name: 'description', type: 'text', value: 'TEXT', description: 'what it is for' },
      { name: 'dmOwner', type: 'flag', description: 'also send each message to the owner directly' },
      FALLBACK,
      THREAD,
      {
        name: 'secret',
        type: 'text',
        value: 'generate|VALUE',
        description: 'accept authenticated requests only; generate, env:NAME, file:PATH or - (stdin)',
      },
      AUTH,
      AUTH_HEADER,
      ...TRIGGER_OPTIONS,
      { name: 'start', type: 'flag', description: 'start it at once (needs a running server)' },
    ],
    changes: true,
    where: 'either',
    examples: [
      {
        run: `hookline bot create ghci --owner spark-ori --channels "#builds" --template "{body.workflow}: {body.conclusion}" --secret generate`,
        shows: 'a bot for GitHub that posts to #builds, and its secret',
      },
      {
        run: 'hookline bot create notes --owner spark-ori --channels "#a,#b" --start',
        shows: 'one that is active at once',
      },
      {
        run: 'hookline bot create feed --owner spark-ori --channels "#news" --preset slack --secret generate',
        shows: 'one for anything that can post to Slack',
      },
      {
        run: `hookline bot create greet --owner spark-ori --channels "#lobby" --on join --template "welcome, {nick}"`,
        shows: 'one that reacts to the chat; see: hookline explain triggers',
      },
      {
        run: `hookline bot create standup --owner spark-ori --channels "#team" --cron "0 9 * * 1-5" --timezone Europe/Berlin --template "stand-up!"`,
        shows: 'one that posts on a schedule',
      },
    ],
    exits: {
      1: 'a value is missing or wrong, or the bot exists',
      2: '--start and no server is running, the file cannot be written, or somebody else is changing the bots',
    },
  },
  {
    name: 'bot start',
    summary: 'Start a bot',
    details:
      'Rereads bot.yaml; the bot joins its channels and its URL answers. Starting an active bot applies edits to its files.',
    arguments: [NAME],
    options: [],
    changes: true,
    where: 'server',
    examples: [{ run: 'hookline bot start spark-ori-ghci', shows: 'the bot joins its channels' }],
    exits: { 1: `${UNKNOWN}, or its file is wrong`, ...NEEDS_SERVER },
  },
  {
    name: 'bot stop',
    summary: 'Stop a bot',
    details:
      'The bot quits, visibly in its channels; its URL answers 503 until it is started. It is active again after the next server start.',
    arguments: [NAME],
    options: [],
    changes: true,
    where: 'server',
    examples: [{ run: 'hookline bot stop spark-ori-ghci', shows: 'the bot leaves its channels' }],
    exits: { 1: UNKNOWN, ...NEEDS_SERVER },
  },
  {
    name: 'bot list',
    summary: 'List bots',
    details: 'STATUS is `active`, `inactive` or `invalid`, or `not running` without a server.',
    arguments: [{ name: 'owner', description: 'only bots of this owner' }],
    options: [],
    changes: false,
    where: 'either',
    examples: [{ run: 'hookline bot list spark-ori', shows: 'the bots of spark-ori' }],
    exits: { 2: 'the server cannot be reached' },
  },
  {
    name: 'bot inspect',
    summary: 'Show everything about a bot',
    details:
      'Every field of bot.yaml, the webhook URL with the real port, the handler, the status, problems and the last deliveries. Secrets are counted, never shown.',
    arguments: [NAME],
    options: [],
    changes: false,
    where: 'either',
    examples: [
      { run: 'hookline bot inspect spark-ori-ghci', shows: 'its settings, URL and last deliveries' },
    ],
    exits: { 1: UNKNOWN, 2: 'the server cannot be reached' },
  },
  {
    name: 'bot edit',
    summary: 'Change fields of a bot',
    details: `Rewrites bot.yaml, keeping comments and order. \`--no-mention\` and the like remove a field. An active bot changes at once.
\`--on\` and \`--cron\` change its trigger, and remove fields of the previous one.

${SECRET_HELP}`,
    arguments: [NAME],
    options: [
      CHANNELS,
      { name: 'mention', type: 'text', value: 'NICK', clearable: true, description: 'agent to @mention' },
      {
        name: 'template',
        type: 'text',
        value: 'TEXT',
        clearable: true,
        description: 'message with {body.field} tokens, or - (stdin)',
      },
      { name: 'preset', type: 'text', value: 'NAME', clearable: true, description: PRESET_HELP },
      { name: 'description', type: 'text', value: 'TEXT', description: 'what it is for' },
      {
        name: 'dmOwner',
        type: 'flag',
        clearable: true,
        description: 'also send each message to the owner directly',
      },
      FALLBACK,
      { ...THREAD, clearable: true },
      {
        name: 'secret',
        type: 'text',
        value: 'generate|VALUE',
        clearable: true,
        description:
          'replace all secrets at once (bot rotate-secret keeps the old one valid); generate, env:NAME, file:PATH or - (stdin)',
      },
      AUTH,
      AUTH_HEADER,
      ...TRIGGER_EDITS,
    ],
    changes: true,
    where: 'either',
    examples: [
      {
        run: 'hookline bot edit spark-ori-ghci --channels "#builds,#ops"',
        shows: 'it posts to two channels',
      },
      { run: 'hookline bot edit spark-ori-ghci --no-mention', shows: 'it mentions nobody any more' },
    ],
    exits: { 1: `${UNKNOWN}, nothing to change, or a value is wrong`, ...NEEDS_ITS_TURN },
  },
  {
    name: 'bot delete',
    summary: 'Delete a bot',
    details:
      'The bot quits, and its folder moves to `trash/` in the home folder, from where it can be moved back. Deliveries accepted but not yet posted fail, and its owner is told how many. What it remembered (handler state, duplicates, threads) is deleted; the records of its deliveries stay.',
    arguments: [NAME],
    options: [],
    changes: true,
    where: 'either',
    examples: [{ run: 'hookline bot delete spark-ori-ghci', shows: 'where its folder went' }],
    exits: { 1: UNKNOWN, ...NEEDS_ITS_TURN },
  },
] as const satisfies readonly Command[]
