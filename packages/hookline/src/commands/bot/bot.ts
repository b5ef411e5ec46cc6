// A bot, as commands print it, and what commands about bots share.
import type { Engine } from '../../message/templates.ts'
import { wrong } from '../../control/failure.ts'
import type { Scheme } from '../../senders/scheme.ts'
import { as, type OutputOf } from '../shape.ts'

export const NAME = {
  name: 'name',
  description: 'full name of the bot: <owner>-<name>',
  required: true,
  completes: 'bots',
} as const

export const UNKNOWN = 'no such bot'

export type BotStatus = 'active' | 'inactive' | 'invalid' | 'not running'

/** How requests prove themselves. */
const AUTH = {
  type: 'text',
  /** Their number; secrets are never shown. */
  secrets: 'number',
  /** Those kept elsewhere, by name: `env:GHCI_SECRET`. */
  references: ['text'],
  /** The proof that requests must carry, as data; null if none. */
  proof: as<Scheme | null>()({ orNull: 'object' }),
} as const

const REACTION = {
  on: ['text'],
  /** Channels in which it listens. */
  in: ['text'],
  /** Null: anybody. */
  from: { orNull: ['text'] },
  /** Null: any message. */
  match: as<Readonly<Record<string, string | boolean>> | null>()({ orNull: 'object' }),
  /** Bots whose deliveries it reacts to; null: every other bot. */
  bots: { orNull: ['text'] },
  outcome: ['text'],
  /** `10/10s` */
  rate: 'text',
} as const

/** What its files say of it. */
export const BOT_ON_DISK = {
  name: 'text',
  trigger: as<'webhook' | 'event' | 'schedule'>()('text'),
  /** What a bot with trigger `event` reacts to. */
  reacts: { orNull: REACTION },
  /** `next_run_at`: null when it never runs again. */
  schedule: {
    orNull: { cron: 'text', timezone: 'text', catch_up: 'true or false', next_run_at: 'time or null' },
  },
  /** Time without a delivery after which the bot says so: `24h`. */
  expect: 'text or null',
  /** It speaks only in the channel where the event happened. */
  here: 'true or false',
  channels: ['text'],
  /** Null if bot.yaml cannot be read. */
  owner: 'text or null',
  description: 'text',
  created: 'text or null',
  mention: 'text or null',
  dm_owner: 'true or false',
  template: 'text or null',
  /** The bot's own templates, by event. */
  templates: as<Readonly<Record<string, string>>>()('object'),
  engine: as<Engine>()('text'),
  preset: 'text or null',
  /** Where the event's name is, if no well-known header has it. */
  event: 'text or null',
  /** As in bot.yaml. */
  filter: { orNull: 'object' },
  fallback: as<'json' | 'summary' | 'skip' | 'error'>()('text'),
  /** Null without trigger.auth. */
  auth: { orNull: AUTH },
  /** File name of the handler. */
  handler: 'text or null',
  /** Whether bot.yaml isolates it; null without a handler. */
  isolated: 'true or false or null',
  file: 'text',
  /** Template of the thread key; null: messages are not threaded. */
  thread: 'text or null',
  /** Limit of accepted deliveries: `60/1m`. */
  rate: 'text or null',
  allow_from: { orNull: ['text'] },
  /** From then on senders get 410. */
  expires: 'text or null',
  /** The reply that senders get instead of the default. */
  reply: { orNull: 'object' },
  burst: 'text or null',
  coalesce: 'text or null',
  /** As in bot.yaml. */
  routes: ['object'],
  problems: ['text'],
  warnings: ['text'],
} as const

export const BOT = { ...BOT_ON_DISK, status: as<BotStatus>()('text'), url: 'text or null' } as const

export type BotView = OutputOf<typeof BOT>
export type AuthView = NonNullable<BotView['auth']>

export const A_BOT = as<BotView>()('object as of bot list')

export const CHANGED = {
  bot: A_BOT,
  /** Only if generated just now: it is not shown again. */
  secret: 'text or null',
  /** What to enter at the sender, line by line, if a secret was generated; contains the secret. */
  setup: ['text'],
} as const

export type Changed = OutputOf<typeof CHANGED>

/** A reason with several lines lists problems. */
export function refused(message: string, reason: string, hint: string) {
  const [first = '', ...more] = reason.split('\n')
  return wrong('refused', `${message}: ${first}`, hint, more)
}
