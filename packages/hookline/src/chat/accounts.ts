// What the chat asks of the room that keeps accounts. Nothing here throws for what a peer did or a disk refused.

export interface Accounts {
  check(name: string, password: string, client: Client): Promise<Verdict>
  exchange(mechanism: Mechanism, client: Client): Exchange
  /** On disk when it says so, and proposed as `account.made`. `client` undefined: an operator makes it. */
  create(
    account: { readonly name: string; readonly password: string; readonly email: string | null },
    client?: Client,
  ): Promise<Created>
}

/** Who asks. */
export interface Client {
  readonly address: string
  /** SHA-256 of its certificate, in lower-case hex. */
  readonly certfp: string | undefined
}

export type Mechanism = 'PLAIN' | 'SCRAM-SHA-256' | 'EXTERNAL'

/** Takes what the client says and gives what it hears, until it is settled. */
export interface Exchange {
  step(message: Uint8Array): Promise<Step>
}

export type Step =
  | { readonly kind: 'challenge'; readonly bytes: Uint8Array }
  | { readonly kind: 'settled'; readonly verdict: Verdict }

export type Verdict =
  | { readonly ok: true; readonly account: string }
  | { readonly ok: false; readonly reason: 'wrong' | 'suspended' | 'later'; readonly text: string }

export type Created =
  | { readonly ok: true; readonly account: string }
  | {
      readonly ok: false
      readonly reason: 'exists' | 'name' | 'weak' | 'password' | 'email' | 'later'
      readonly text: string
    }
