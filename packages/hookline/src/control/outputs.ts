// The output of each operation: exactly what `--json` prints. Keys are stable; new ones may be added, none change.
import type { BotChanged, BotCreated, BotView, SecretRotated } from '../commands/bot/bot.ts'
import type { PastView, Sent } from '../commands/chat/message.ts'
import type {
  DeliveryDetails,
  DeliveryView,
  Replayed,
  RetractedView,
  SourceView,
} from '../commands/delivery/delivery.ts'
import type { Captured, Linted, Suggested, Tested } from './outputs/try.ts'

/** By the name of the operation. */
export interface Outputs {
  'bot create': BotCreated
  'bot start': { readonly bot: BotView }
  'bot stop': { readonly bot: BotView }
  'bot list': readonly BotView[]
  'bot inspect': BotView & {
    /** Newest last; null when no server runs. */
    readonly deliveries: readonly DeliveryView[] | null
    readonly refused: readonly DeliveryView[] | null
    /** Its owner and the agent that it wakes, as far as no account has the nick: whoever takes it gets their messages. The same. */
    readonly without_account: readonly string[] | null
  }
  'bot edit': BotChanged
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
}
