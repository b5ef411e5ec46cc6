// What operations on deliveries print.

export interface DeliveryView {
  /** `-` for what was refused: nothing is kept of it that could be run again. */
  readonly id: string
  readonly bot: string
  readonly received_at: string
  readonly finished_at: string | null
  readonly status: 'posted' | 'skipped' | 'failed' | 'pending' | 'refused'
  /** The sender's name for it: `push`. */
  readonly event: string | null
  readonly channels: readonly string[]
  readonly text: string | null
  readonly error: string | null
  /** What went wrong, without the traceback. */
  readonly error_line: string | null
  /** Of a refusal: how many like it came, each within a minute of the one before. */
  readonly attempts: number
  /** `output.template`, `handler.py`, `fallback json`. */
  readonly composed_by: string | null
  /** Tokens without a value. */
  readonly unresolved: readonly string[]
  /** Why nothing was posted, if nothing failed. */
  readonly reason: string | null
  readonly woken: readonly string[]
}

export interface DeliveryDetails extends DeliveryView {
  /** Without the headers that prove the sender. */
  readonly headers: Readonly<Record<string, string>>
  /** As received; null once it is no longer kept. */
  readonly payload: string | null
}

export interface SourceView {
  readonly composed_by: string
  readonly file: string
  /** Line where the template begins. */
  readonly line: number | null
  readonly template: string | null
  /** The file has changed, or gone, since this message was composed. */
  readonly changed_since: boolean
}

export interface Replayed {
  readonly id: string
  readonly status: string
  readonly message: string | null
  readonly channels: readonly string[]
  readonly error: string | null
}

export interface RetractedView {
  readonly delivery: string
  /** Messages retracted. */
  readonly messages: readonly { readonly id: string; readonly target: string }[]
  /** Number of kept messages dropped before their recipient saw them. */
  readonly unheard: number
  readonly reason: string | null
}
