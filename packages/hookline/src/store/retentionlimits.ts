// What may be kept.

/** How long and how many deliveries are kept. */
export interface Retention {
  /** For deliveries that were posted or skipped; repeats are recognised for as long. */
  readonly finishedMs: number
  /** For those that failed or have no outcome. */
  readonly unhappyMs: number
  readonly bodiesPerBot: number
  /** Bytes of all bodies and texts together. */
  readonly bodyBytes: number
}

/** How much history is kept of each conversation, and for how long; undefined sets no bound. */
export interface HistoryRetention {
  /** A million at most: finding the edge walks over this many rows. */
  readonly channelMessages: number | undefined
  readonly directMessages: number | undefined
  readonly days: number | undefined
}
