// Accounts and what proves them, as the rooms above see them. Times are in ms since 1970.

/** A name that belongs to somebody. */
export interface AccountRow {
  /** Folded. */
  readonly key: string
  readonly name: string
  readonly createdAt: number
  readonly email: string | null
  /** A PHC string; null where only tokens and certificates prove it. */
  readonly password: string | null
  /** JSON of the SCRAM keys of the same password. */
  readonly scram: string | null
  /** JSON of what its owner chose. */
  readonly settings: string
  /** JSON of who suspended it, when, why and until when. */
  readonly suspended: string | null
}

export type AccountChange = Pick<AccountRow, 'key'> &
  Partial<Pick<AccountRow, 'email' | 'password' | 'scram' | 'settings' | 'suspended'>> & {
    /** Nothing changes unless the account still has these. */
    readonly still?: Partial<AccountRow>
  }

export interface TokenRow {
  readonly account: string
  readonly label: string
  readonly createdAt: number
  readonly usedAt: number | null
  readonly expiresAt: number | null
}

export interface CertificateRow {
  readonly account: string
  /** SHA-256 of the certificate, in lower-case hex. */
  readonly fingerprint: string
  readonly addedAt: number
}

export interface FullAccount extends AccountRow {
  readonly tokens: readonly TokenRow[]
  readonly certificates: readonly CertificateRow[]
}
