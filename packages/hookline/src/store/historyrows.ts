// History, as the rooms above see it and ask for it. Times are in ms since 1970.

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
  /** When the channel was created, if it was not open to everybody. */
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
  /** Set if the message was redacted: its text and tags are gone. */
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
  /** The parameters after the channel in its line. */
  readonly params: readonly string[]
  readonly places: readonly HistoryChannel[]
}

/** A channel, folded and as shown. */
export interface HistoryChannel {
  readonly conversation: string
  readonly target: string
  readonly closed?: number
}

/** One thing of a page; what happened has `params`. */
export type PastRow = HistoryRow | EventRow
export type EventRow = Omit<HappenedRow, 'places'> & Pick<HistoryChannel, 'conversation' | 'target'>

/** A point in time: a message's, or a time itself. A message that is gone stands at the time in its id. */
export type Anchor =
  | { readonly time: number }
  | { readonly id: string; /** Undefined: not an id of this server. */ readonly time: number | undefined }

/** What a reader may see of one conversation. */
export interface Sight {
  readonly conversation: string
  /** Of a channel: when it was created. */
  readonly incarnation?: number | undefined
  /** Prefixes of the ranks that the reader has or outranks. */
  readonly ranks?: string | undefined
  /** Hides what was said to these ranks before this time. */
  readonly rankedSince?: number | undefined
  /** Only what comes after this id. */
  readonly since?: string | undefined
  /** Nothing from before this time. */
  readonly notBefore?: number | undefined
}

/** Part of one conversation, or of several that read as one. All anchors are exclusive, except the middle of `around`. */
export interface PageQuery {
  readonly sights: readonly Sight[]
  readonly cut:
    | { readonly kind: 'newest' | 'oldest'; readonly after?: Anchor; readonly before?: Anchor }
    /** Counted from the first towards the second, in either direction. */
    | { readonly kind: 'between'; readonly first: Anchor; readonly second: Anchor }
    | { readonly kind: 'around'; readonly middle: Anchor }
  readonly limit: number
  /** Include events, and messages without text. */
  readonly isWithEvents: boolean
}

/** Messages of one conversation that everybody there heard: the newest before a time, the oldest after one, or else the newest. */
export type HeardQuery = { readonly conversation: string; readonly limit: number } & Beside
/** Exclusive. */
export type Beside = { readonly before?: number } | { readonly after: number }

/** Conversations by the time of their latest message, which must lie between two times; counted as in `between`. */
export interface TargetsQuery {
  readonly channels: readonly Sight[]
  /** Whose direct messages, and since when. */
  readonly party: string
  readonly since?: string | undefined
  readonly notBefore?: number | undefined
  readonly first: number
  readonly second: number
  readonly limit: number
  /** Count messages without text, such as reactions. */
  readonly isWithEvents?: boolean
}

/** Messages of some conversations that contain each of these words, or a word that begins with it. */
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

/** How a message was redacted. */
export interface Redaction {
  /** Who did it, as the source of a line: a mask, a bot's nick, or the server's name for a bot that is not there. */
  readonly by: string
  readonly time: number
  readonly reason: string | null
}

/** A channel's names, folded and different, and the new one as shown. */
export interface Renaming {
  readonly from: string
  readonly to: string
  readonly name: string
}
