// Options of `bot create` and `bot edit`, and words that several commands say.
import { AUTH_TYPE_NAMES } from '../../senders/authtypes.ts'
import { HAPPENINGS } from '../../bots/file/triggertypes.ts'
import type { Option } from '../command.ts'

export const CHANNELS = {
  name: 'channels',
  type: 'list',
  value: 'LIST',
  description: 'channels to post to, separated by commas or spaces; may be repeated',
} as const
export const AUTH = {
  name: 'auth',
  type: 'text',
  value: 'TYPE',
  choices: AUTH_TYPE_NAMES,
  description: 'how requests authenticate (github); none: every sender is accepted',
} as const
export const AUTH_HEADER = {
  name: 'authHeader',
  type: 'text',
  value: 'NAME',
  description: 'signature or token header, for --auth hmac, token and grafana',
} as const
export const THREAD = {
  name: 'thread',
  type: 'text',
  value: 'TEXT',
  description: 'tokens; messages with equal values are replies to the first',
} as const
export const FALLBACK = {
  name: 'fallback',
  type: 'text',
  value: 'KIND',
  choices: ['json', 'summary', 'skip', 'error'],
  description: 'what to post if no template matches or a token has no value (json: the payload)',
} as const
export const PRESET_HELP = 'built-in templates: see hookline preset list'
export const SECRET_HELP = `\`--secret generate\` generates a secret, writes it to bot.yaml and prints it once, with what to enter at the sender. \`env:NAME\` and
\`file:PATH\` keep it out of the file, \`-\` reads it from standard input. Do not type a secret on the command line: it stays in the
shell's history. \`--auth\` says how the sender authenticates: the sender's name if it is listed, else \`standard\`, \`token\`,
\`basic\` or \`hmac\`; see \`hookline explain authentication\`.`

export const LEARNED = `Uses the payloads that \`bot capture\` put into the bot's folder; if there are none, the newest 200 deliveries that the running
server keeps.`

const ON = {
  name: 'on',
  type: 'list',
  value: 'LIST',
  choices: HAPPENINGS,
  description: 'what to react to instead of webhooks, one or more',
} as const
const CRON = {
  name: 'cron',
  type: 'text',
  value: 'CRON',
  description: 'when to run, instead of on webhooks: "0 9 * * 1-5"',
} as const
const IN = {
  name: 'in',
  type: 'list',
  value: 'LIST',
  description: 'with --on: channels to listen in; default: those it posts to',
} as const
const COMMAND = {
  name: 'command',
  type: 'text',
  value: 'WORD',
  description: 'only messages that begin with this word: "!deploy" (--on message)',
} as const
const TIMEZONE = {
  name: 'timezone',
  type: 'text',
  value: 'ZONE',
  description: 'time zone of --cron: Europe/Berlin',
} as const
const EXPECT = {
  name: 'expect',
  type: 'text',
  value: 'TIME',
  description: 'say so if nothing came for this long: 24h',
} as const

export const TRIGGER_OPTIONS = [ON, IN, COMMAND, CRON, TIMEZONE, EXPECT] as const satisfies readonly Option[]

/** Options that do not define the trigger's type can be cleared. */
export const TRIGGER_EDITS = [
  ON,
  { ...IN, clearable: true },
  { ...COMMAND, clearable: true },
  CRON,
  { ...TIMEZONE, clearable: true },
  { ...EXPECT, clearable: true },
] as const satisfies readonly Option[]
