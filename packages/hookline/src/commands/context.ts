// What a handler works with: the files, and the server if it is running. server/server.ts implements `Running`.
import type { Accounts } from '../accounts/accounts.ts'
import type { Bots } from '../bots/bots.ts'
import type { HandlerLimits } from '../handlers/limits.ts'
import type { BanList } from '../chat/banlist.ts'
import type { SpokenEntry } from '../chat/spoken.ts'
import type { VirtualUsers } from '../chat/virtual.ts'
import type { Exposure } from '../config/exposure.ts'
import type { Home } from '../home/home.ts'
import type { Store } from '../store/store.ts'
import type { Deliveries } from '../webhooks/deliveries.ts'
import type { RefusedWebhooks } from '../webhooks/refused.ts'

/** A running server, as operations see it. */
export interface Running {
  readonly name: string
  readonly version: string
  readonly pid: number
  /** In ms. */
  readonly startedAt: number
  /** By a monotonic clock. */
  uptimeSeconds(): number
  /** `127.0.0.1:6667`, `[::1]:6697 tls`. */
  readonly irc: readonly string[]
  /** `http://127.0.0.1:7680`; undefined when the listener is off. */
  readonly webhook: string | undefined
  readonly bots: Bots
  readonly store: Store
  readonly deliveries: Deliveries
  readonly refused: Pick<RefusedWebhooks, 'of'>
  readonly chat: VirtualUsers
  readonly accounts: Accounts
  readonly bans: BanList
  /** What is open to strangers, as the settings are now. */
  exposures(): readonly Exposure[]
  counts(): { connections: number; users: number; channels: number; bots: number }
  /** Every channel when `channel` is undefined; case does not matter. Returns a function that stops it. */
  watch(channel: string | undefined, listener: (spoken: SpokenEntry) => void): () => void
  /** Reads server.yaml and every bot.yaml again. If the settings are wrong, nothing is applied. */
  reload(): Promise<{ warnings: readonly string[]; isApplied: boolean }>
  /** The machine's clock is right: the server goes by it from now on. */
  trustClock(): Promise<void>
  /** Like SIGTERM. */
  stop(): void
}

export type { SpokenEntry }

/** What every handler is given besides its input. */
export interface Context {
  readonly home: Home
  readonly running: Running | undefined
  readonly known: KnownSettings
}

/** For operations that need a running server. */
export interface LiveContext extends Context {
  readonly running: Running
}

/** What the settings say, whether or not a server is running. */
export interface KnownSettings {
  /** The folder of the database, if the settings name one. */
  readonly dataDir?: string | undefined
  /** Why the settings cannot be used; absent if they can. */
  readonly problems?: readonly string[]
  /** Undefined when no file names the server. */
  readonly serverName: string | undefined
  readonly webhook: string | undefined
  /** Limits for handlers; defaults if absent. */
  readonly handlers?: Pick<HandlerLimits, 'callMs' | 'isolation'>
}

/** One call: where its events go, and when its caller is gone. */
export interface Call {
  readonly emit: (event: object) => void
  readonly signal: AbortSignal
}
