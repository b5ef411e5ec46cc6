// What the chat needs from the room that keeps accounts. Nothing here throws for a peer's input or a disk error.

export interface Accounts {
  check(name: string, password: string, client: Client): Promise<Verdict>
  exchange(mechanism: Mechanism, client: Client): Exchange
  /** On disk when it succeeds, and proposed as `account.made`. `client` undefined: an operator makes it. */
  create(
    account: { readonly name: string; readonly password: string; readonly email: string | null },
    client?: Client,
  ): Promise<Created>
  setPassword(name: string, password: string): Promise<Changed>
  /** Null removes it. */
  setEmail(name: string, email: string | null): Promise<Changed>
  /** The token is shown once; only its hash is stored. */
  addToken(name: string, label: string, expiresInMs: number | null): Promise<Changed<{ token: string }>>
  /** Closes the connections that logged in with it. */
  removeToken(name: string, label: string): Promise<Changed>
  addCertificate(name: string, fingerprint: string): Promise<Changed>
  removeCertificate(name: string, fingerprint: string): Promise<Changed>
  show(name: string): Promise<Changed<{ account: Shown }>>
  /** Proposed as `account.dropped`. */
  drop(name: string): Promise<Changed>
  /** Disconnects whoever is logged in to it, and refuses logins for that time, or until it is restored. `until`: in ms. */
  suspend(
    name: string,
    terms: { readonly by: string; readonly reason: string; readonly durationMs?: number | undefined },
  ): Promise<Changed<{ until: number | null }>>
  restore(name: string): Promise<Changed>
}

/** The client that asks. */
export interface Client {
  readonly address: string
  /** SHA-256 of its certificate, in lower-case hex. */
  readonly certfp: string | undefined
}

export type Mechanism = 'PLAIN' | 'SCRAM-SHA-256' | 'EXTERNAL'

/** Takes the client's messages and gives the answers, until it is settled. */
export interface Exchange {
  step(message: Uint8Array): Promise<Step>
}

export type Step =
  | { readonly kind: 'challenge'; readonly bytes: Uint8Array }
  | { readonly kind: 'settled'; readonly verdict: Verdict }

export type Verdict =
  /** `token`: the label of the token that proved it; undefined if it was a password or certificate. */
  | { readonly ok: true; readonly account: string; readonly token?: string }
  | { readonly ok: false; readonly reason: 'wrong' | 'suspended' | 'later'; readonly text: string }

export type Changed<T = object> =
  | ({ readonly ok: true } & T)
  | { readonly ok: false; readonly reason: string; readonly text: string }

/** What its owner may see of an account. */
export interface Shown {
  readonly name: string
  readonly createdAt: number
  readonly email: string | null
  readonly password: string | null
  readonly suspension: Suspension | null
  readonly tokens: readonly {
    readonly label: string
    readonly createdAt: number
    readonly usedAt: number | null
    readonly expiresAt: number | null
  }[]
  readonly certificates: readonly { readonly fingerprint: string; readonly addedAt: number }[]
}

export interface Suspension {
  readonly by: string
  readonly at: number
  readonly reason: string
  /** In ms; null: until it is lifted. */
  readonly until: number | null
}

export type Created =
  | { readonly ok: true; readonly account: string }
  | {
      readonly ok: false
      readonly reason: 'exists' | 'name' | 'weak' | 'password' | 'email' | 'later'
      readonly text: string
    }
