// What a handler works with: the files, and the server when it runs. server.ts implements `Running`.
import type { Accounts } from '../accounts/accounts.ts'
import type { Bots } from '../bots/bots.ts'
import type { HandlerLimits } from '../bots/handler/limits.ts'
import type { BanList } from '../chat/banlist.ts'
import type { SpokenEntry } from '../chat/spoken.ts'
import type { VirtualUsers } from '../chat/virtual.ts'
import type { Home } from '../home.ts'
import type { Store } from '../store/store.ts'
import type { Deliveries } from '../webhooks/deliveries.ts'

/** A server that runs, as its operators see it. */
export interface Running {
  readonly name: string
  readonly version: string
  readonly pid: number
  /** In ms. */
  readonly startedAt: number
  /** `127.0.0.1:6667`, `[::1]:6697 tls`. */
  readonly irc: readonly string[]
  /** `http://127.0.0.1:7680`; undefined when the listener is off. */
  readonly webhook: string | undefined
  readonly bots: Bots
  readonly store: Store
  readonly deliveries: Deliveries
  readonly chat: VirtualUsers
  readonly accounts: Accounts
  readonly bans: BanList
  counts(): { connections: number; users: number; channels: number; bots: number }
  /** Every channel when `channel` is undefined; case does not matter. Returns what stops it. */
  watch(channel: string | undefined, listener: (spoken: SpokenEntry) => void): () => void
  /** Reads server.yaml and every bot.yaml again. Not applied: the settings are wrong, and everything is as it was. */
  reload(): Promise<{ warnings: readonly string[]; isApplied: boolean }>
  /** As SIGTERM. */
  stop(): void
}

export type Spoken = SpokenEntry

export interface Desk {
  readonly home: Home
  readonly running: Running | undefined
  readonly known: Known
}

/** Of an operation that only a server can do. */
export interface LiveDesk extends Desk {
  readonly running: Running
}

/** What the settings say, with and without a server that runs. */
export interface Known {
  /** The folder of the database. */
  readonly dataDir: string
  /** Undefined when no file names the server. */
  readonly serverName: string | undefined
  readonly webhook: string | undefined
  /** What a handler may take; the usual where it is not told. */
  readonly handlers?: Pick<HandlerLimits, 'callMs' | 'isolation'>
}

/** What surrounds one call: where its events go, and when its caller has gone. */
export interface Call {
  readonly emit: (event: object) => void
  readonly signal: AbortSignal
}
