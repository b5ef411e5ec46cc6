// What a payload was made into.
import type { Envelope } from './payload.ts'

/**
 * `unresolved` are the tokens that name nothing; `composedBy` is what made the text; `reason` explains it to readers of the
 * record. An empty message is skipped.
 */
export type Composed =
  | {
      readonly kind: 'message'
      readonly text: string
      readonly unresolved: readonly string[]
      readonly composedBy: string
      readonly reason?: string
      /** Most lines in one place, if fewer than usual. */
      readonly maxLines?: number
      /** Where it is said and whom it wakes, if that differs from `output`. */
      readonly destination?: Destination
      /** The key of its thread: the bot's messages with the same key reply to the first of them. */
      readonly thread?: string | undefined
    }
  | {
      readonly kind: 'skip'
      readonly composedBy: string | null
      readonly reason: string
      readonly unresolved?: readonly string[]
    }
  | { readonly kind: 'failed'; readonly error: string; readonly unresolved?: readonly string[] }

/** Where a message goes, if not where `output` says. */
export interface Destination {
  readonly channels: readonly string[]
  /** Null wakes nobody; undefined: whom the bot always wakes. */
  readonly mention?: string | null
}

export interface DeliveryFacts extends Envelope {
  readonly id: string
}
