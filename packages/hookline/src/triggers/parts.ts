// What the kinds of triggers work with; each names what it needs of it.
import type { Bots } from '../bots/bots.ts'
import type { Log } from '../log/log.ts'
import type { Store } from '../store/store.ts'
import type { Deliveries } from '../webhooks/deliveries.ts'
import type { TellOwner } from '../webhooks/noticelimits.ts'
import type { Alarm, Clock } from './alarm.ts'
import type { DropNotices } from './dropnotices.ts'
import type { Memory } from './memory.ts'

export interface Parts {
  readonly bots: Pick<Bots, 'get'>
  readonly deliveries: Pick<Deliveries, 'accept'>
  readonly store: Store
  readonly memory: Memory
  readonly alarm: Alarm
  readonly drops: DropNotices
  readonly clock: Clock
  readonly log: Log
  readonly tellOwner: TellOwner
}
