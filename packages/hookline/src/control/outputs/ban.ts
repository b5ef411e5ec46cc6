// What operations on bans print.

export interface BanView {
  /** An address or a network in its shortest form, or a folded mask. */
  readonly target: string
  /** Null: until lifted. */
  readonly expires_at: string | null
  /** Logged-in users may connect nevertheless. */
  readonly require_sasl: boolean
  readonly by: string
  readonly created_at: string
  readonly reason: string
}
