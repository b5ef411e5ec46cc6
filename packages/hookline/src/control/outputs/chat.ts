// What operations on the chat and its history print.

export interface Sent {
  readonly id: string
  readonly time: string
  readonly target: string
  readonly from: string
  readonly text: string
}

export interface SpokenView {
  readonly id: string
  readonly time: string
  readonly channel: string
  readonly from: string
  readonly text: string
  readonly delivery: string | null
  readonly command: 'PRIVMSG' | 'NOTICE'
  readonly bot: boolean
}

/** How a message was redacted; its text is empty then. */
export interface RedactionView {
  /** Nick of the user who took it back, or the server's name. */
  readonly by: string
  readonly at: string
  readonly reason: string | null
}

export interface PastView extends SpokenView {
  /** Null unless redacted. */
  readonly redacted: RedactionView | null
}

/** Oldest first. */
export interface HistoryPage {
  readonly messages: readonly PastView[]
  /** Whether there is more in that direction. */
  readonly more: boolean
  /**
   * What to ask for next in that direction: the id of the last message on this page, or if it is empty, the place asked
   * for.
   */
  readonly next: { readonly before: string } | { readonly after: string }
}
