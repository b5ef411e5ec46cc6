// Deliveries and what they leave for somebody, as the rooms above see them. Times are in ms since 1970.
import type { HistoryRow } from './historyrows.ts'

/** A webhook that has been accepted and has no outcome yet. */
export interface NewDelivery {
  readonly id: string
  readonly bot: string
  readonly receivedAt: number
  /** The sender's id for this delivery; null: none, so a repeat cannot be recognised. */
  readonly key: string | null
  /** Its service promises that no two events have one id: what else differs, as the attempt does, is a retry all the same. */
  readonly isKeyEnough?: boolean
  /** The sender's name for the kind of event: `push`. */
  readonly event: string | null
  /** By lower-case name, without those that carry a proof. */
  readonly headers: Readonly<Record<string, string>>
  /** JSON, as it came. Recording transfers its buffer, leaving it empty, if it owns all of it; for a view the whole buffer is copied. */
  readonly body: Uint8Array
}

/** The newest deliveries, or the newest before one (by id) or before a time. An unknown id excludes none. */
export interface ListQuery {
  readonly bot?: string
  readonly failed?: boolean
  readonly before?: string | number | undefined
  readonly limit: number
}

type DeliveryStatus = 'posted' | 'skipped' | 'failed' | 'pending'

export interface DeliveryRecord extends Story {
  readonly id: string
  readonly bot: string
  readonly receivedAt: number
  readonly finishedAt: number | null
  readonly status: DeliveryStatus
  readonly event: string | null
  readonly channels: readonly string[]
  /** The whole message; null too once it has been pruned. */
  readonly text: string | null
  readonly error: string | null
  readonly attempts: number
}

/** How the outcome came about. */
export interface Story {
  /** What made the text: `output.template`, `handler.py`, `fallback json`; null when nothing was made. */
  readonly composedBy: string | null
  /** Tokens of the template that named nothing. */
  readonly unresolved: readonly string[]
  /** Why nothing was posted although nothing failed, or why the fallback was; null when there is nothing to add. */
  readonly reason: string | null
  /** Nicks that were woken. */
  readonly woken: readonly string[]
}

/** A delivery that has no outcome yet. */
export interface PendingRow extends Pick<DeliveryRecord, 'id' | 'bot' | 'receivedAt'> {
  /** It came to a deleted bot of the same name. */
  readonly isOfBefore: boolean
}

export interface Delivery extends DeliveryRecord {
  readonly headers: Readonly<Record<string, string>>
  /** Null once it has been pruned. */
  readonly body: Uint8Array | null
}

/** `retry`: the same delivery failed before; it is pending again under that id. */
export type Begun =
  | { readonly kind: 'new'; readonly replies?: Replies }
  | { readonly kind: 'duplicate'; readonly row: DeliveryRecord }
  | { readonly kind: 'retry'; readonly id: string }

export interface Outcome extends Story {
  readonly status: 'posted' | 'skipped' | 'failed'
  readonly finishedAt: number
  readonly text: string | null
  readonly error: string | null
  /** Where it was posted. */
  readonly channels: readonly string[]
  readonly history: readonly HistoryRow[]
  readonly kept: readonly KeptMessage[]
  /** What some of its messages belong to. */
  readonly thread?: Thread | undefined
}

/** Messages of one bot with the same key belong together, in each channel by themselves. */
export interface Thread {
  readonly bot: string
  readonly key: string
  /** The msgids of those in `history` that are part of it. */
  readonly messages: readonly string[]
}

/** Messages that are not the first of their thread: msgid → msgid of the first. */
export type Replies = Readonly<Record<string, string>>

export interface Finished {
  /** Of the delivery. */
  readonly id: string
  readonly outcome: Outcome
}

/** A message for somebody who may be away. At most 100 per nick: beyond that the oldest are dropped and counted. */
export interface KeptMessage {
  /** The msgid it has, or will have. */
  readonly id: string
  /** Folded. */
  readonly nick: string
  readonly command: 'PRIVMSG' | 'NOTICE'
  /** Nick of the bot that caused it. A NOTICE is sent by the server. */
  readonly source: string
  /** Lines joined by LF. */
  readonly text: string
  readonly time: number
  readonly delivery: string | null
}

export interface KeptFor {
  readonly messages: readonly KeptMessage[]
  /** How many older ones were dropped since the nick last heard of it. */
  readonly dropped: number
}
