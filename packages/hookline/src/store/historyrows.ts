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
  /** Of what was said to these ranks nothing from before this time. */
  readonly rankedSince?: number | undefined
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
