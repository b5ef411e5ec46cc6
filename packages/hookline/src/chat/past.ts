// What the chat asks of history, and what it gets: messages and events, as they were then.
import type { ChannelKey } from '../irc/names.ts'

/** A message that is not redacted. */
export interface PastMessage {
  /** Its msgid. */
  readonly id: string
  readonly time: number
  readonly command: 'PRIVMSG' | 'NOTICE' | 'TAGMSG'
  readonly conversation: string
  /** As shown. */
  readonly target: string
  /** The prefix of a rank, if only members of at least that rank heard it. */
  readonly rank?: string | undefined
  /** Nick, mask and account of who said it, as they were then. */
  readonly from: string
  readonly mask: string
  readonly account: string | null
  readonly isBot: boolean
  /** Lines joined by LF. */
  readonly text: string
  /** Client-only tags, as JSON. */
  readonly tags: string
  readonly delivery: string | null
}

/** JOIN, PART, QUIT, KICK, NICK, MODE or TOPIC. */
export interface PastEvent {
  readonly id: string
  readonly time: number
  readonly command: string
  readonly target: string
  readonly mask: string
  readonly account: string | null
  readonly isBot: boolean
  /** Its parameters after the channel. */
  readonly params: readonly string[]
}

export type Past = PastMessage | PastEvent

/** A position in time; `time` beside an id is the time that the id contains, undefined for a foreign id. */
export type Anchor = { readonly time: number } | { readonly id: string; readonly time: number | undefined }

/** What one reader may see of one conversation. */
export interface Sight {
  readonly conversation: string
  /** For a channel: when it was created. What was said while it was closed is for that channel alone. */
  readonly incarnation?: number
  /** Prefixes of the ranks that the reader has or outranks. */
  readonly ranks?: string
  /** Messages to these ranks only from this time on. */
  readonly rankedSince?: number
  /** Only what is after this id. */
  readonly since?: string | undefined
  /** Only from this time on. */
  readonly notBefore?: number | undefined
}

/** Anchors are exclusive, except the middle of `around`. */
export type Cut =
  | { readonly kind: 'newest' | 'oldest'; readonly after?: Anchor; readonly before?: Anchor }
  /** Counted from the first towards the second, in either direction. */
  | { readonly kind: 'between'; readonly first: Anchor; readonly second: Anchor }
  | { readonly kind: 'around'; readonly middle: Anchor }

export interface PageQuery {
  /** Several are read as one. */
  readonly sights: readonly Sight[]
  readonly cut: Cut
  readonly limit: number
  /** With events, and messages without text. */
  readonly isWithEvents: boolean
}

export interface TargetsQuery {
  readonly channels: readonly Sight[]
  /** Whose direct messages, and since when. */
  readonly party: string
  readonly since?: string | undefined
  readonly notBefore?: number | undefined
  /** The latest message lies between these; counted from the first towards the second. */
  readonly first: number
  readonly second: number
  readonly limit: number
  /** Count messages without text, such as reactions. */
  readonly isWithEvents?: boolean
}

/** The newest messages that contain all words of `text`. Times are exclusive. */
export interface WordQuery {
  readonly sights: readonly Sight[]
  readonly text: string
  readonly from: string | undefined
  readonly after: number
  readonly before: number
  readonly limit: number
}

export interface Redaction {
  readonly by: string
  readonly time: number
  readonly reason: string | null
}

/** Injected. Errors are logged there. */
export interface History {
  find(id: string): Promise<PastMessage | undefined>
  /** True once the text is gone for good. */
  redact(id: string, redaction: Redaction): Promise<boolean>
  /** In chronological order. Undefined: there is no such place, or the disk does not answer. */
  page(query: PageQuery): Promise<readonly Past[] | undefined>
  targets(query: TargetsQuery): Promise<readonly { conversation: string; time: number }[] | undefined>
  search(query: WordQuery): Promise<readonly Past[] | undefined>
  /** The time that an id contains; undefined for a foreign id. */
  timeOf(id: string): number | undefined
}

/** A channel as history shows it. */
export interface HistoryChannel {
  readonly conversation: ChannelKey
  readonly target: string
  readonly closed?: number
}
