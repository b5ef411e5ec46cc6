// What operations on accounts print.

/** Secrets generated just now; null for those that were not. */
export interface AccountMade {
  readonly account: string
  readonly password: string | null
  readonly token: string | null
}

export interface AccountView {
  readonly name: string
  readonly created_at: string
  readonly email: string | null
  /** Whether it has one. */
  readonly password: boolean
  /** Chosen by its owner. */
  readonly settings: object
  readonly suspended: {
    readonly by: string
    readonly at: string
    readonly reason: string
    /** Null: until it is restored. */
    readonly expires_at: string | null
  } | null
}

export interface AccountDetails extends AccountView {
  /** Whether the password also logs in by SCRAM-SHA-256. */
  readonly scram: boolean
  readonly tokens: readonly TokenView[]
  readonly certificates: readonly { readonly fingerprint: string; readonly added_at: string }[]
}

export interface TokenView {
  readonly label: string
  readonly created_at: string
  readonly used_at: string | null
  /** Null: never. */
  readonly expires_at: string | null
}

export interface TokenMade {
  readonly account: string
  readonly label: string
  readonly token: string
}
