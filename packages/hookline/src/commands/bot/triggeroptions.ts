// The trigger options of `bot create` and `bot edit`.
import { HAPPENINGS } from '../../bots/triggertypes.ts'
import type { Option } from '../command.ts'

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
