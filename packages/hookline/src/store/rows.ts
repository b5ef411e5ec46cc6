// What is kept, as the rooms above see it. Times are in ms since 1970; nicks in `nick` fields of kept messages are folded.

/** One message that was said, in a channel or between two people. */
export interface HistoryRow {
  /** Its msgid. */
  readonly id: string
  readonly time: number
  readonly command: 'PRIVMSG' | 'NOTICE' | 'TAGMSG'
  /** The folded channel, or both parties, sorted, with a space between: a folded nick, or `@` and a folded account. */
  readonly conversation: string
  /** The prefix of a rank, where only members of at least that rank heard it. */
  readonly rank?: string | undefined
  /** Where the channel was not open to everybody: when it came to be. */
  readonly closed?: number | undefined
  /** As shown. */
  readonly target: string
  /** The nick of who said it. */
  readonly from: string
  readonly mask: string
  readonly account: string | null
  readonly isBot: boolean
  /** Lines joined by LF. */
  readonly text: string
  /** JSON of the client-only tags, `{}` when there are none. */
  readonly tags: string
  readonly delivery: string | null
  /** Only of a message that was taken back: its text and its tags are gone. */
  readonly redacted?: Redaction
}

/** Something that happened in channels: JOIN, PART, QUIT, KICK, NICK, MODE or TOPIC. */
export interface HappenedRow {
  readonly id: string
  readonly time: number
  readonly command: string
  readonly mask: string
  readonly account: string | null
  readonly isBot: boolean
  /** What stands in its line behind the channel. */
  readonly params: readonly string[]
  readonly places: readonly Place[]
}

/** A channel, folded and as shown. */
export interface Place {
  readonly conversation: string
  readonly target: string
  readonly closed?: number
}

/** One thing of a page; what happened has `params`. */
export type PastRow = HistoryRow | EventRow
export type EventRow = Omit<HappenedRow, 'places'> & Pick<Place, 'conversation' | 'target'>

/** A place in time: a message's, or the time itself. A message that is not there stands where its id says. */
export type Anchor =
  | { readonly time: number }
  | { readonly id: string; /** Undefined: it is no id of ours. */ readonly time: number | undefined }

/** What a reader may see of one conversation. */
export interface Sight {
  readonly conversation: string
  /** Where it is a channel: when it came to be. */
  readonly incarnation?: number | undefined
  /** Prefixes of the ranks that the reader has or outranks. */
  readonly ranks?: string | undefined
  /** Nothing that is not after this id. */
  readonly since?: string | undefined
  /** Nothing from before this time. */
  readonly notBefore?: number | undefined
}

/** Part of one conversation, or of several that read as one. Every anchor is exclusive, but the middle of `around`. */
export interface PageQuery {
  readonly sights: readonly Sight[]
  readonly cut:
    | { readonly kind: 'newest' | 'oldest'; readonly after?: Anchor; readonly before?: Anchor }
    /** Counted from the first towards the second, be that forwards or backwards. */
    | { readonly kind: 'between'; readonly first: Anchor; readonly second: Anchor }
    | { readonly kind: 'around'; readonly middle: Anchor }
  readonly limit: number
  /** Also what happened, and messages without a text. */
  readonly isWithEvents: boolean
}

/** Messages of one conversation that everybody there heard: the newest before a time, the oldest after one, or else the newest. */
export type HeardQuery = { readonly conversation: string; readonly limit: number } & Beside
/** Exclusive. */
export type Beside = { readonly before?: number } | { readonly after: number }

/** Conversations by the time of their latest message, which lies between two times; counted as `between`. */
export interface TargetsQuery {
  readonly channels: readonly Sight[]
  /** Whose direct messages, and since when. */
  readonly party: string
  readonly since?: string | undefined
  readonly notBefore?: number | undefined
  readonly first: number
  readonly second: number
  readonly limit: number
}

/** Messages of some conversations that hold all of these words, or words that begin so. */
export interface SearchQuery {
  readonly sights: readonly Sight[]
  readonly words: readonly string[]
  readonly from: string | undefined
  /** Exclusive. */
  readonly after: number
  readonly before: number
  /** The newest. */
  readonly limit: number
}

export interface TargetRow {
  readonly conversation: string
  readonly time: number
}

/** How a message was taken back. */
export interface Redaction {
  /** Who did it, as the source of a line: a mask, a bot's nick, or the server's name for a bot that is not there. */
  readonly by: string
  readonly time: number
  readonly reason: string | null
}

/** A webhook that has been accepted and has no outcome yet. */
export interface NewDelivery {
  readonly id: string
  readonly bot: string
  readonly receivedAt: number
  /** What the sender calls this delivery; null: it cannot be told from another with the same body. */
  readonly key: string | null
  /** The sender's name for the kind of event: `push`. */
  readonly event: string | null
  /** By lower-case name; none that proves anything. */
  readonly headers: Readonly<Record<string, string>>
  /** JSON, as it came. Where it owns its buffer it is handed over to be recorded, and empty from then on; a view is copied whole. */
  readonly body: Uint8Array
}

/** The newest deliveries, or those from before one, by its id, or before a time. One that is not there excludes none. */
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
  /** Why nothing was posted although nothing failed, or why the fallback was; null when there is no more to say. */
  readonly reason: string | null
  /** Nicks that were woken. */
  readonly woken: readonly string[]
}

/** What came and has no outcome. */
export type PendingRow = Pick<DeliveryRecord, 'id' | 'bot' | 'receivedAt'>

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

/** A message for somebody who may not be there. At most 100 per nick: beyond it the oldest go, and are counted. */
export interface KeptMessage {
  /** The msgid it has, or will have. */
  readonly id: string
  readonly nick: string
  readonly command: 'PRIVMSG' | 'NOTICE'
  /** Nick of the bot that causes it. A NOTICE is told by the server. */
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

/** A name that belongs to somebody. Times are in ms. */
export interface AccountRow {
  /** Folded. */
  readonly key: string
  readonly name: string
  readonly createdAt: number
  readonly email: string | null
  /** A PHC string; null where only tokens and certificates prove it. */
  readonly password: string | null
  /** JSON of the SCRAM keys of the same password. */
  readonly scram: string | null
  /** JSON of what its owner chose. */
  readonly settings: string
  /** JSON of who shut it, when and why. */
  readonly suspended: string | null
}

export type AccountChange = Pick<AccountRow, 'key'> &
  Partial<Pick<AccountRow, 'email' | 'password' | 'scram' | 'settings' | 'suspended'>>

export interface TokenRow {
  readonly account: string
  readonly label: string
  readonly createdAt: number
  readonly usedAt: number | null
  readonly expiresAt: number | null
}

export interface CertificateRow {
  readonly account: string
  /** SHA-256 of the certificate, in lower-case hex. */
  readonly fingerprint: string
  readonly addedAt: number
}

export interface FullAccount extends AccountRow {
  readonly tokens: readonly TokenRow[]
  readonly certificates: readonly CertificateRow[]
}
