// What operations that try a bot out print.
import type { Lint } from '../../bots/lint.ts'
import type { Suggestions } from '../../bots/suggest.ts'

export interface Tested {
  /** `failed` only if that is not reported as an error: among several, or when it was expected. */
  readonly kind: 'message' | 'skip' | 'failed'
  readonly text: string | null
  readonly unresolved: readonly string[]
  readonly event: string | null
  readonly composed_by: string | null
  readonly reason: string | null
  /** Key of its thread; null: not threaded. */
  readonly thread: string | null
  /** Where a route sends it, or `output.here`; null: as `output` says. */
  readonly destination: { readonly channels: readonly string[]; readonly mention: string | null } | null
  readonly fixture: string | null
  /** Null if not asked for. */
  readonly golden: GoldenView | null
}

export interface GoldenView {
  readonly file: string
  readonly status: 'same' | 'different' | 'written'
  /** `- expected`, `+ now`, `  both`. */
  readonly diff: readonly string[]
}

export interface Captured {
  readonly bot: string
  readonly folder: string
  /** Numbers of payloads written just now, present now, and removed. */
  readonly captured: number
  readonly kept: number
  readonly removed: number
}

/** Where the payloads came from: the bot's folder, or the running server. */
export type TrafficSource = 'captured' | 'deliveries'

export interface Suggested {
  readonly bot: string
  readonly from: TrafficSource
  readonly events: readonly (Suggestions & { readonly event: string | null; readonly payloads: number })[]
}

export interface Linted extends Lint {
  readonly bot: string
  readonly from: TrafficSource
  /** File name of the handler, which is used instead of templates. */
  readonly handler: string | null
  /** About the templates. */
  readonly warnings: readonly string[]
}
