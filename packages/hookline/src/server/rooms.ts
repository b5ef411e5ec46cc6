// The parts of a server that others are given.
import type { Accounts } from '../accounts/accounts.ts'
import type { Bots } from '../bots/bots.ts'
import type { Spine } from '../chat/spine.ts'
import type { VirtualUsers } from '../chat/virtual.ts'
import type { Home } from '../home/home.ts'
import type { Archive } from '../keeping/archive.ts'
import type { Log } from '../log/log.ts'
import type { Store } from '../store/store.ts'
import type { Clock } from '../triggers/alarm.ts'
import type { Triggers } from '../triggers/triggers.ts'
import type { Deliveries } from '../webhooks/deliveries.ts'
import type { Metrics } from '../webhooks/metrics.ts'
import type { TellOwner } from '../webhooks/noticelimits.ts'
import type { RefusedWebhooks } from '../webhooks/refused.ts'
import type { Cloak } from './cloak.ts'
import type { FlushSchedule } from './flushschedule.ts'

export interface Rooms {
  readonly chat: Spine
  readonly accounts: Accounts
  readonly archive: Archive
  readonly virtualUsers: VirtualUsers
  readonly metrics: Metrics
  readonly bots: Bots
  readonly deliveries: Deliveries
  readonly triggers: Triggers
  readonly tellOwner: TellOwner
  readonly refused: RefusedWebhooks
}

/** What all rooms are given. */
export interface Base {
  readonly home: Home
  readonly version: string
  readonly log: Log
  readonly store: Store
  readonly clock: Clock
  /** The time of day in the chat; see orderedtime.ts. */
  readonly now: () => number
  /** Ms since the start. */
  readonly elapsed: () => number
  readonly cloak: Cloak | undefined
  /** Its table of confusables takes 2.6 MB, and only casemapping precis needs it. */
  readonly skeleton: ((name: string) => string) | undefined
  readonly flushing: FlushSchedule
  readonly reload: () => Promise<Reloaded>
  /** Whether the control socket is there. */
  readonly isListening: () => boolean
}

export interface Reloaded {
  readonly warnings: readonly string[]
  /** False if the next start would fail with them; nothing changes then. */
  readonly isApplied: boolean
}
