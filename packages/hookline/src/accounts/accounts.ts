// The server's accounts: created, changed and dropped on disk first, then reported to followers.
import { setImmediate } from 'node:timers/promises'
import { isLoopback, placeOf } from '../irc/address.ts'
import { type AccountKey, accountKey } from '../irc/names.ts'
import type { AccountChange, AccountRow, FullAccount } from '../store/accountrows.ts'
import { StoreFailure } from '../store/failure.ts'
import {
  BUSY,
  type Changed,
  type Created,
  refused,
  type Refused,
  tooOften,
  UNAVAILABLE,
  type Verdict,
} from './answers.ts'
import type { Guesses } from './guesses.ts'
import { type Client, guessOf, keptOf, type LoginOptions, Logins } from './login.ts'
import {
  type AccountRules,
  fingerprintOf,
  isAddress,
  isLabel,
  LABEL_RULE,
  MOST_CERTIFICATES,
  MOST_TOKENS,
  type NewAccount,
  refusesAccount,
  refusesPassword,
} from './validity.ts'
import { beginExchange, type Exchange, type Mechanism } from './sasl.ts'
import { type Suspension, suspensionOf, type SuspensionRequest } from './suspension.ts'
import { Throttle } from './throttle.ts'
import { digestOf, newToken } from './tokens.ts'

/** Called once a change is on disk. */
export interface Followers {
  made(account: { name: string; createdAt: number; settings: object }): void
  dropped(key: AccountKey): void
  suspended(key: AccountKey): void
  /** The token of that label. */
  revoked(key: AccountKey, label: string): void
}

export interface AccountsOptions extends Omit<LoginOptions, 'rules'> {
  readonly rules: AccountRules
  readonly followers: Followers
  /** The time in the chat, for when an account was made: it may not read what was said before. */
  readonly chatTime: () => number
  /** Why a name is reserved, whoever creates the account: it belongs to a bot or a service. */
  readonly refusesName: (name: string) => string | undefined
}

/** An account, and whether it is suspended now. */
export type WithSuspension<Row extends AccountRow> = Omit<Row, 'suspended'> & {
  readonly suspension: Suspension | null
}

export class Accounts {
  /** Replaced when the server reloads. */
  rules: AccountRules
  readonly #options: AccountsOptions
  readonly #logins: Logins
  readonly #newcomers: Throttle

  constructor(options: AccountsOptions) {
    this.rules = options.rules
    this.#options = options
    this.#logins = new Logins({ ...options, rules: () => this.rules })
    this.#newcomers = new Throttle({ perMs: 3_600_000, elapsed: options.elapsed })
  }

  /** Reports every existing account to the followers; once, at start. */
  async load(): Promise<void> {
    await this.#logins.guesses.load()
    for (const { name, createdAt, settings } of await this.#options.store.all())
      this.#options.followers.made({ name, createdAt, settings: JSON.parse(settings) as object })
  }

  // Logging in

  check(name: string, password: string, client: Client): Promise<Verdict> {
    return this.#logins.check(name, password, client)
  }

  exchange(mechanism: Mechanism, client: Client): Exchange {
    return beginExchange(mechanism, client, this.#logins)
  }

  /** For passwords that are no account's: of operators, of the server, of gateways. */
  get guesses(): Guesses {
    return this.#logins.guesses
  }

  // Creating, changing and dropping an account

  /** `client` undefined: an operator, exempt from the rate limit and the email requirement. */
  async create(account: NewAccount, client?: Client): Promise<Created> {
    const refusal = refusesAccount(account, this.rules)
    if (refusal !== undefined) return refusal
    const { name, email, password } = account
    const named = this.#options.refusesName(name)
    if (named !== undefined) return refused('name', named)
    if (client !== undefined && email === null && this.rules.needsEmail) return refused('email', NEEDS_EMAIL)
    const key = accountKey(name)
    return this.#guarded(async () => {
      // Checked before counting and hashing: most conflicting names end here.
      if ((await this.#options.store.get(key)) !== undefined) return TAKEN
      return this.#counted(client, async () => {
        const kept = await keptOf(password, this.rules)
        if (kept === undefined) return BUSY
        const createdAt = this.#options.chatTime()
        const row = { key, name, createdAt, email, ...kept, settings: '{}', suspended: null }
        if (!(await this.#options.store.create(row))) return TAKEN
        if (client !== undefined) this.#logins.guesses.right(guessOf(name, client))
        await this.#tell((followers) => followers.made({ name, createdAt, settings: {} }))
        return { ok: true, account: name }
      })
    })
  }

  async setPassword(name: string, password: string | null): Promise<Changed> {
    const refusal = password === null ? undefined : refusesPassword(password, name, this.rules)
    if (refusal !== undefined) return refused('refused', refusal.text)
    const key = accountKey(name)
    return this.#guarded(async () => {
      const account = await this.#options.store.get(key)
      if (account === undefined) return ABSENT
      const kept = await keptOf(password, this.rules)
      if (kept === undefined) return BUSY
      // While it was hashed, the account may have been dropped and created anew by somebody else.
      return this.#change({ key, ...kept, still: { createdAt: account.createdAt } })
    })
  }

  async setEmail(name: string, email: string | null): Promise<Changed> {
    if (email !== null && !isAddress(email)) return refused('refused', 'That is not a valid email address')
    if (email === null && this.rules.needsEmail) return refused('refused', NEEDS_EMAIL)
    return this.#change({ key: accountKey(name), email })
  }

  /** Saves the chat's settings of an account. A failure is logged, and the next change saves them all. */
  saveSettings(key: string, settings: object): void {
    this.#options.store
      .change({ key, settings: JSON.stringify(settings) })
      .catch((error: unknown) =>
        this.#options.log.warn({ err: error }, 'the settings of an account could not be saved'),
      )
  }

  /** Its users are logged out, and nobody can log in until it ends or is restored. `until`: when it ends, in ms. */
  suspend(
    name: string,
    { by, reason, durationMs }: SuspensionRequest,
  ): Promise<Changed<{ until: number | null }>> {
    const key = accountKey(name)
    return this.#guarded(async () => {
      const account = await this.#options.store.get(key)
      if (account === undefined) return ABSENT
      const at = this.#options.now()
      const present = suspensionOf(account.suspended, at)
      const until = durationMs === undefined ? null : at + durationMs
      const suspension: Suspension = { by, at, reason: reason || (present?.reason ?? ''), until }
      const suspended = JSON.stringify(suspension)
      const { createdAt } = account
      if (!(await this.#options.store.change({ key, suspended, still: { createdAt } }))) return ABSENT
      await this.#tell((followers) => followers.suspended(key))
      return { ok: true, until }
    })
  }

  restore(name: string): Promise<Changed> {
    return this.#change({ key: accountKey(name), suspended: null })
  }

  drop(name: string): Promise<Changed> {
    const key = accountKey(name)
    return this.#guarded(async () => {
      if (!(await this.#options.store.drop(key))) return ABSENT
      await this.#logins.guesses.forget(`account ${key}`)
      await this.#tell((followers) => followers.dropped(key))
      return DONE
    })
  }

  // Its tokens and certificates

  /** The token is shown once and not stored. It may have the label of one that has expired. */
  addToken(name: string, label: string, expiresInMs: number | null): Promise<Changed<{ token: string }>> {
    const account = accountKey(name)
    return this.#guarded(async () => {
      if (!isLabel(label)) return refused('refused', `A label has ${LABEL_RULE}`)
      const owner = await this.#options.store.get(account)
      if (owner === undefined) return ABSENT
      if (owner.tokens.length >= MOST_TOKENS)
        return refused('refused', `An account can have at most ${MOST_TOKENS} tokens: revoke one first`)
      const token = newToken()
      const createdAt = this.#options.now()
      const expiresAt = expiresInMs === null ? null : createdAt + expiresInMs
      const row = { hash: digestOf(token), account, label, createdAt, usedAt: null, expiresAt }
      const isAdded = await this.#options.store.addToken(row)
      return isAdded ? { ok: true, token } : refused('refused', `There is already a token ${label}`)
    })
  }

  removeToken(name: string, label: string): Promise<Changed> {
    const key = accountKey(name)
    return this.#guarded(async () => {
      if (!(await this.#options.store.removeToken(key, label)))
        return refused('absent', 'There is no token with that label')
      await this.#tell((followers) => followers.revoked(key, label))
      return DONE
    })
  }

  addCertificate(name: string, text: string): Promise<Changed> {
    const account = accountKey(name)
    return this.#guarded(async () => {
      const fingerprint = fingerprintOf(text)
      if (fingerprint === undefined) return NO_FINGERPRINT
      const owner = await this.#options.store.get(account)
      if (owner === undefined) return ABSENT
      if (owner.certificates.length >= MOST_CERTIFICATES)
        return refused(
          'refused',
          `An account can have at most ${MOST_CERTIFICATES} certificates: remove one first`,
        )
      const addedAt = this.#options.now()
      const isAdded = await this.#options.store.addCertificate({ account, fingerprint, addedAt })
      return isAdded ? DONE : refused('refused', 'That certificate already belongs to an account')
    })
  }

  removeCertificate(name: string, text: string): Promise<Changed> {
    return this.#guarded(async () => {
      const fingerprint = fingerprintOf(text)
      if (fingerprint === undefined) return NO_FINGERPRINT
      const isGone = await this.#options.store.removeCertificate(accountKey(name), fingerprint)
      return isGone ? DONE : refused('absent', 'No such certificate')
    })
  }

  // Looking it up

  show(name: string): Promise<Changed<{ account: WithSuspension<FullAccount> }>> {
    return this.#guarded(async () => {
      const account = await this.#options.store.get(accountKey(name))
      return account === undefined ? ABSENT : { ok: true, account: this.#withSuspension(account) }
    })
  }

  list(): Promise<Changed<{ accounts: readonly WithSuspension<AccountRow>[] }>> {
    return this.#guarded(async () => {
      const rows = await this.#options.store.all()
      return { ok: true, accounts: rows.map((row) => this.#withSuspension(row)) }
    })
  }

  #withSuspension<Row extends AccountRow>({ suspended, ...row }: Row): WithSuspension<Row> {
    return { ...row, suspension: suspensionOf(suspended, this.#options.now()) }
  }

  /**
   * In the order of the disk, and not before everybody who was answered at the same time has gone on: whoever has just
   * made an account is logged in to it by then, and what is told may end that.
   */
  async #tell(tell: (followers: Followers) => void): Promise<void> {
    await setImmediate()
    tell(this.#options.followers)
  }

  #change(change: AccountChange): Promise<Changed> {
    return this.#guarded(async () => ((await this.#options.store.change(change)) ? DONE : ABSENT))
  }

  /** Counts what `client` makes, unless nothing comes of it. */
  async #counted(client: Client | undefined, make: () => Promise<Created>): Promise<Created> {
    if (client === undefined || isLoopback(client.address)) return make()
    const place = placeOf(client.address, this.rules.place)
    const ms = this.#newcomers.take(place, this.rules.newPerHour)
    if (ms !== undefined) return tooOften({ ms })
    const made = await this.#guarded(make)
    if (!made.ok) this.#newcomers.takeBack(place)
    return made
  }

  async #guarded<T>(work: () => Promise<T>): Promise<T | Refused<'later'>> {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof StoreFailure)) throw error
      this.#options.log.warn({ err: error }, 'an account could not be read or changed')
      return UNAVAILABLE
    }
  }
}

const DONE = { ok: true } as const
const ABSENT = refused('absent', 'No such account')
const TAKEN = refused('exists', 'That name is already taken')
const NO_FINGERPRINT = refused(
  'refused',
  'A fingerprint is the SHA-256 hash of a certificate: 64 hexadecimal digits',
)
const NEEDS_EMAIL = 'An email address is required'
