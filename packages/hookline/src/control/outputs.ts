// The output of each operation: exactly what `--json` prints. Keys are stable; new ones may be added, none change.
import type { Lint } from '../bots/lint.ts'
import type { Suggestions } from '../bots/suggest.ts'
import type { Engine } from '../bots/templates.ts'
import type { Scheme } from '../webhooks/scheme.ts'

export interface ServerStopped {
  readonly stopping: true
  readonly pid: number
}

export interface ServerStatus {
  readonly running: true
  readonly name: string
  readonly version: string
  readonly pid: number
  readonly started_at: string
  readonly uptime_seconds: number
  readonly home: string
  readonly irc: readonly string[]
  readonly webhook: string | null
  readonly connections: number
  readonly users: number
  readonly channels: number
  readonly bots: number
}

export interface BackupMade {
  readonly file: string
  readonly made_at: string
  /** Schema version of its database; null if there was none. */
  readonly schema: number | null
  readonly bytes: number
}

export interface BackupRestored {
  readonly file: string
  readonly made_at: string
  /** Name of the backed-up server, if known. */
  readonly server: string | null
  readonly schema: number | null
  /** Where the home's previous contents are; null if there were none. */
  readonly moved_to: string | null
}

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
  readonly next_run: string | null
}

export interface BotCreated {
  readonly bot: BotView
  /** Only if generated just now: it is not shown again. */
  readonly secret: string | null
  /** What to enter at the sender, line by line, if a secret was generated; contains the secret. */
  readonly setup: readonly string[]
}

export interface SecretRotated extends BotCreated {
  /** How many old secrets are no longer valid. */
  readonly dropped: number
}

export interface PresetSummary {
  readonly name: string
  readonly title: string
  readonly description: string
  /** How the service proves itself: what `--auth` should be. */
  readonly auth: string | null
  readonly events: readonly string[]
}

export interface DeliveryView {
  readonly id: string
  readonly bot: string
  readonly received_at: string
  readonly finished_at: string | null
  readonly status: 'posted' | 'skipped' | 'failed' | 'pending'
  /** The sender's name for it: `push`. */
  readonly event: string | null
  readonly channels: readonly string[]
  readonly text: string | null
  readonly error: string | null
  readonly attempts: number
  /** `output.template`, `handler.py`, `fallback json`. */
  readonly composed_by: string | null
  /** Tokens without a value. */
  readonly unresolved: readonly string[]
  /** Why nothing was posted, if nothing failed. */
  readonly reason: string | null
  readonly woken: readonly string[]
}

export interface DeliveryDetails extends DeliveryView {
  /** Without the headers that prove the sender. */
  readonly headers: Readonly<Record<string, string>>
  /** As received; null once it is no longer kept. */
  readonly payload: string | null
}

export interface SourceView {
  readonly composed_by: string
  readonly file: string
  /** Line where the template begins. */
  readonly line: number | null
  readonly template: string | null
  /** The file has changed, or gone, since this message was composed. */
  readonly changed_since: boolean
}

export interface Replayed {
  readonly id: string
  readonly status: string
  readonly message: string | null
  readonly channels: readonly string[]
  readonly error: string | null
}

export interface RetractedView {
  readonly delivery: string
  /** Messages retracted. */
  readonly messages: readonly { readonly id: string; readonly target: string }[]
  /** Number of kept messages dropped before their recipient saw them. */
  readonly unheard: number
  readonly reason: string | null
}

export interface Sent {
  readonly id: string
  readonly time: string
  readonly target: string
  readonly from: string
  readonly text: string
}

export interface SpokenView {
  readonly id: string
  readonly time: string
  readonly channel: string
  readonly from: string
  readonly text: string
  readonly delivery: string | null
  readonly command: 'PRIVMSG' | 'NOTICE'
  readonly bot: boolean
}

/** How a message was redacted; its text is empty then. */
export interface RedactionView {
  /** Nick of the user who took it back, or the server's name. */
  readonly by: string
  readonly time: string
  readonly reason: string | null
}

export interface PastView extends SpokenView {
  /** Null unless redacted. */
  readonly redacted: RedactionView | null
}

/** Oldest first. */
export interface HistoryPage {
  readonly messages: readonly PastView[]
  /** Whether there is more in that direction. */
  readonly more: boolean
  /**
   * What to ask for next in that direction: the id of the last message on this page, or if it is empty, the place asked
   * for.
   */
  readonly next: { readonly before: string } | { readonly after: string }
}

export interface Tested {
  /** `failed` only if that is not reported as an error: among several, or when it was expected. */
  readonly kind: 'message' | 'skip' | 'failed'
  readonly text: string | null
  readonly unresolved: readonly string[]
  readonly event: string | null
  readonly composed_by: string | null
  readonly reason: string | null
  /** Key of its thread; null: not threaded. */
  readonly thread: string | null
  readonly fixture: string | null
  /** Null if not asked for. */
  readonly golden: GoldenView | null
}

export interface GoldenView {
  readonly file: string
  readonly status: 'same' | 'different' | 'written'
  /** `- expected`, `+ now`, `  both`. */
  readonly diff: readonly string[]
}

export interface Captured {
  readonly bot: string
  readonly folder: string
  /** Numbers of payloads written just now, present now, and removed. */
  readonly captured: number
  readonly kept: number
  readonly removed: number
}

/** Where the payloads came from: the bot's folder, or the running server. */
export type TrafficSource = 'captured' | 'deliveries'

export interface Suggested {
  readonly bot: string
  readonly from: TrafficSource
  readonly events: readonly (Suggestions & { readonly event: string | null; readonly payloads: number })[]
}

export interface Linted extends Lint {
  readonly bot: string
  readonly from: TrafficSource
  /** File name of the handler, which is used instead of templates. */
  readonly handler: string | null
  /** About the templates. */
  readonly warnings: readonly string[]
}

/** Secrets generated just now; null for those that were not. */
export interface AccountMade {
  readonly account: string
  readonly password: string | null
  readonly token: string | null
}

export interface AccountView {
  readonly name: string
  readonly created_at: string
  readonly email: string | null
  /** Whether it has one. */
  readonly password: boolean
  /** Chosen by its owner. */
  readonly settings: object
  readonly suspended: { readonly by: string; readonly at: string; readonly reason: string } | null
}

export interface AccountDetails extends AccountView {
  /** Whether the password also logs in by SCRAM-SHA-256. */
  readonly scram: boolean
  readonly tokens: readonly TokenView[]
  readonly certificates: readonly { readonly fingerprint: string; readonly added_at: string }[]
}

export interface TokenView {
  readonly label: string
  readonly created_at: string
  readonly used_at: string | null
  /** Null: never. */
  readonly expires_at: string | null
}

export interface TokenMade {
  readonly account: string
  readonly label: string
  readonly token: string
}

export interface BanView {
  /** An address or a network in its shortest form, or a folded mask. */
  readonly target: string
  /** Null: until lifted. */
  readonly until: string | null
  /** Logged-in users may connect nevertheless. */
  readonly require_sasl: boolean
  readonly by: string
  readonly at: string
  readonly reason: string
}

export interface PasswordHash {
  /** A PHC string, for `password_hash` in server.yaml. */
  readonly password_hash: string
  /** Only if generated; it is not shown again. */
  readonly password: string | null
}

export interface Outputs {
  'server stop': ServerStopped
  'server status': ServerStatus
  'server reload': { readonly warnings: readonly string[] }
  'server backup': BackupMade
  'server restore': BackupRestored
  'server hash-password': PasswordHash
  'bot create': BotCreated
  'bot start': { readonly bot: BotView }
  'bot stop': { readonly bot: BotView }
  'bot list': readonly BotView[]
  'bot inspect': BotView & {
    /** Newest last; null when no server runs. */
    readonly deliveries: readonly DeliveryView[] | null
  }
  'bot edit': BotCreated
  'bot rotate-secret': SecretRotated
  'bot delete': { readonly name: string; readonly moved_to: string | null }
  'bot validate': { readonly bots: readonly Omit<BotView, 'status' | 'url'>[] }
  /** One object for a payload or a fixture, a list for all fixtures of a preset or all captured payloads. */
  'bot test': Tested | readonly Tested[]
  'bot capture': Captured
  'bot suggest': Suggested
  'bot lint': Linted
  'bot logs': { readonly deliveries: readonly DeliveryView[]; readonly log: readonly string[] }
  'bot deliveries': readonly DeliveryView[]
  'bot deliveries show': DeliveryDetails
  /** One object for an id, a list for `--failed`. */
  'bot replay': Replayed | readonly Replayed[]
  'bot retract': RetractedView
  'bot why': {
    /** Null if a delivery was asked for. */
    readonly message: (Sent & Pick<PastView, 'redacted'>) | null
    readonly delivery: DeliveryDetails
    readonly source: SourceView | null
  }
  'preset list': readonly PresetSummary[]
  'preset show': PresetSummary & {
    /** Where the event's name is, if no well-known header has it. */
    readonly event: string | null
    readonly filter: object | null
    readonly engine: Engine
    readonly templates: Readonly<Record<string, string>>
    /** Names of sample payloads: `github/push`. */
    readonly fixtures: readonly string[]
  }
  'account create': AccountMade
  'account passwd': AccountMade
  'account list': readonly AccountView[]
  'account show': AccountDetails
  'account token': readonly TokenView[]
  'account token add': TokenMade
  'account token revoke': { readonly account: string }
  'account suspend': { readonly account: string }
  'account restore': { readonly account: string }
  'account drop': { readonly account: string }
  /** `ended`: the number of connections closed. */
  'ban add': { readonly ban: BanView; readonly ended: number }
  'ban remove': { readonly target: string }
  'ban list': readonly BanView[]
  send: Sent
  /** Its events are `SpokenView`s. */
  watch: { readonly stopped: true }
  /** With `--before` or `--after` a page. */
  history: readonly PastView[] | HistoryPage
  'history erase': { readonly erased: number }
}
