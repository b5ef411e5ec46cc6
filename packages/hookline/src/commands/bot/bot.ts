// What operations on bots print.
import type { Engine } from '../../bots/templates.ts'
import type { Scheme } from '../../webhooks/scheme.ts'

export type BotStatus = 'active' | 'inactive' | 'invalid' | 'not running'

export interface BotView {
  readonly name: string
  readonly trigger: 'webhook' | 'event' | 'schedule'
  /** What a bot with trigger `event` reacts to. */
  readonly reacts: ReactionView | null
  readonly schedule: ScheduleView | null
  /** Time without a delivery after which the bot says so: `24h`. */
  readonly expect: string | null
  /** It speaks only in the channel where the event happened. */
  readonly here: boolean
  readonly channels: readonly string[]
  /** Null if bot.yaml cannot be read. */
  readonly owner: string | null
  readonly status: BotStatus
  readonly description: string
  readonly created: string | null
  readonly mention: string | null
  readonly dm_owner: boolean
  readonly template: string | null
  /** The bot's own templates, by event. */
  readonly templates: Readonly<Record<string, string>>
  readonly engine: Engine
  readonly preset: string | null
  /** Where the event's name is, if no well-known header has it. */
  readonly event: string | null
  /** As in bot.yaml. */
  readonly filter: object | null
  readonly fallback: 'json' | 'summary' | 'skip' | 'error'
  /** How requests prove themselves; null without trigger.auth. */
  readonly auth: AuthView | null
  /** File name of the handler. */
  readonly handler: string | null
  /** Whether bot.yaml isolates it; null without a handler. */
  readonly isolated: boolean | null
  readonly url: string | null
  readonly file: string
  /** Template of the thread key; null: messages are not threaded. */
  readonly thread: string | null
  /** Limit of accepted deliveries: `60/1m`. */
  readonly rate: string | null
  readonly allow_from: readonly string[] | null
  /** From then on senders get 410. */
  readonly expires: string | null
  /** The reply that senders get instead of the default. */
  readonly reply: object | null
  readonly burst: string | null
  readonly coalesce: string | null
  /** As in bot.yaml. */
  readonly routes: readonly object[]
  readonly problems: readonly string[]
  readonly warnings: readonly string[]
}

export interface AuthView {
  readonly type: string
  /** Their number; secrets are never shown. */
  readonly secrets: number
  /** Those kept elsewhere, by name: `env:GHCI_SECRET`. */
  readonly references: readonly string[]
  /** The proof that requests must carry, as data; null if none. */
  readonly proof: Scheme | null
}

interface ReactionView {
  readonly on: readonly string[]
  /** Channels in which it listens. */
  readonly in: readonly string[]
  /** Null: anybody. */
  readonly from: readonly string[] | null
  /** Null: any message. */
  readonly match: Readonly<Record<string, string | boolean>> | null
  /** Bots whose deliveries it reacts to; null: every other bot. */
  readonly bots: readonly string[] | null
  readonly outcome: readonly string[]
  /** `10/10s` */
  readonly rate: string
}

interface ScheduleView {
  readonly cron: string
  readonly timezone: string
  readonly catch_up: boolean
  /** Null when it never runs again. */
  readonly next_run_at: string | null
}

export interface BotChanged {
  readonly bot: BotView
  /** Only if generated just now: it is not shown again. */
  readonly secret: string | null
  /** What to enter at the sender, line by line, if a secret was generated; contains the secret. */
  readonly setup: readonly string[]
}

export interface BotCreated extends BotChanged {
  /** A command line that posts a sample to it, with SECRET in place of the secret; null if it has no URL. */
  readonly try: string | null
}

export interface SecretRotated extends BotChanged {
  /** How many old secrets are no longer valid. */
  readonly dropped: number
}
