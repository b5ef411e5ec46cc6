// Authenticates by password, token or certificate. A wrong password gets the same answer whether or not the account
// exists. Tokens and certificates cannot be guessed, so the right one is accepted however many guesses there were.
import { randomBytes } from 'node:crypto'
import { accountKey } from '../irc/names.ts'
import type { Log } from '../log/log.ts'
import type { FullAccount } from '../store/accountrows.ts'
import type { AccountStore } from '../store/accountstore.ts'
import { StoreFailure } from '../store/failure.ts'
import { BUSY, refused, tooOften, UNAVAILABLE, type Verdict, WRONG } from './answers.ts'
import { type Guess, Guesses } from './guesses.ts'
import { decoyHash, hashPassword, isCurrent, verify } from './passwords.ts'
import type { AccountRules } from './validity.ts'
import { saslPrep } from './saslprep.ts'
import { decoyKeys, makeKeys, type ScramKeys } from './scram.ts'
import { refusalText, suspensionOf } from './suspension.ts'
import type { PlaceStore } from './places.ts'
import { digestOf, isToken } from './tokens.ts'

/** Who wants to log in. */
export interface Client {
  readonly address: string
  /** SHA-256 of its certificate, in lower-case hex. */
  readonly certfp: string | undefined
}

export interface LoginOptions {
  readonly store: AccountStore
  readonly places: PlaceStore
  readonly rules: () => AccountRules
  /** The machine's time of day in Unix ms. */
  readonly now: () => number
  /** Monotonic ms. */
  readonly elapsed: () => number
  readonly log: Log
}

/** The account in `ori@phone`: clients set up for other servers and for bouncers tell devices apart so. No account has an `@`. */
export function withoutDevice(login: string): string {
  return login.replace(/(?<=.)@.*$/s, '')
}

export class Logins {
  readonly guesses: Guesses
  readonly #options: LoginOptions
  #decoy = { cost: -1, hash: '' }
  /** Makes the salts of unknown names. */
  readonly #secret = randomBytes(32)

  constructor(options: LoginOptions) {
    this.#options = options
    this.guesses = new Guesses(options)
  }

  /** By password or token. */
  async check(login: string, password: string, client: Client): Promise<Verdict> {
    const name = withoutDevice(login)
    if (isToken(password)) {
      const verdict = await this.attempt(() => this.#byToken(name, password))
      return verdict.ok
        ? this.#accepted(verdict, client)
        : this.conclude(name, client, verdict, { isHopeless: true })
    }
    return (
      this.late(name, client) ??
      this.guesses.inTurn(guessOf(name, client), async () => {
        // Others may have failed while this one waited.
        const late = this.late(name, client)
        return late ?? this.conclude(name, client, await this.attempt(() => this.#byPassword(name, password)))
      })
    )
  }

  /** By the connection's certificate; an empty `name` means the account that it belongs to. */
  async certificate(name: string, client: Client): Promise<Verdict> {
    const { certfp } = client
    const verdict = await this.attempt(async () => {
      if (certfp === undefined) return refused('wrong', 'this connection has no client certificate')
      const row = await this.#options.store.certificate(certfp)
      if (row === undefined || (name !== '' && accountKey(withoutDevice(name)) !== row.account))
        return refused('wrong', 'this certificate belongs to no account of that name')
      return this.#proved(await this.#options.store.get(row.account))
    })
    return verdict.ok ? this.#accepted(verdict, client) : verdict
  }

  /** What a SCRAM exchange begins with: the keys of the account, or decoys where it has none or is not there. */
  async scramKeys(
    name: string,
  ): Promise<{ readonly account: FullAccount | undefined; readonly keys: ScramKeys }> {
    const key = accountKey(name)
    const account = await this.#options.store.get(key)
    const keys = account?.scram
      ? (JSON.parse(account.scram) as ScramKeys)
      : decoyKeys(key, this.#secret, iterationsOf(this.#options.rules().cost))
    return { account, keys }
  }

  /**
   * At the end of a SCRAM exchange, which may be left open for long: the account may have been suspended since, given another
   * password, or dropped and created anew by somebody else. `keys`: those that it began with; nobody else's are the same.
   */
  async settle(key: string, keys: string | null): Promise<Verdict> {
    const account = await this.#options.store.get(key)
    return account?.scram === keys ? this.#proved(account) : WRONG
  }

  /** Refuses those who have failed too often. Undefined: go on. */
  late(name: string, client: Client): Verdict | undefined {
    const wait = this.guesses.wait(guessOf(name, client))
    return wait && tooOften(wait)
  }

  /**
   * The end of a try, which counts if it was wrong; one that could not be checked (`later`) does not. Those that still go on do not
   * count either, or people who all come back at once would lock each other out. Whoever is late by now does not learn the verdict: of a
   * hundred guesses at once, each would be the first.
   */
  conclude(name: string, client: Client, verdict: Verdict, { isHopeless = false } = {}): Verdict {
    const late = this.late(name, client)
    if (late !== undefined) return late
    if (verdict.ok) return this.#accepted(verdict, client)
    // Whoever is suspended knew the password.
    if (verdict.reason !== 'wrong') return verdict
    this.guesses.wrong(guessOf(name, client), { isHopeless })
    void this.#noteFailure(name, client)
    return verdict
  }

  /** One line each: those that were not looked at are counted, once a minute. A name that no account has may be a password. */
  async #noteFailure(name: string, { address }: Client): Promise<void> {
    const account = await this.#options.store.get(accountKey(name)).catch(() => undefined)
    this.#options.log.info({ account: account?.name, address }, 'a login failed')
  }

  #accepted(verdict: Extract<Verdict, { ok: true }>, client: Client): Verdict {
    this.guesses.right(guessOf(verdict.account, client))
    return verdict
  }

  /** A storage failure is not a wrong password. */
  async attempt<T>(work: () => Promise<T>): Promise<T | typeof UNAVAILABLE> {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof StoreFailure)) throw error
      this.#options.log.warn({ err: error }, 'nobody can log in: accounts cannot be read')
      return UNAVAILABLE
    }
  }

  async #byPassword(name: string, password: string): Promise<Verdict> {
    const account = await this.#options.store.get(accountKey(name))
    const hash = account?.password ?? this.#decoyHash()
    const isRight = await verify(hash, saslPrep(password) ?? '')
    if (isRight === undefined) return BUSY
    if (!isRight || account === undefined) return WRONG
    const now = await this.#options.store.get(account.key)
    // Changed meanwhile: by its owner, by the next one, or renewed by another login.
    if (now?.password !== hash) return this.#byPassword(name, password)
    const verdict = this.#proved(now)
    if (verdict.ok) this.#renew(now, password)
    return verdict
  }

  async #byToken(name: string, token: string): Promise<Verdict> {
    const { store, now } = this.#options
    const hash = digestOf(token)
    // Asked together: what happens to either after that is told after this login, and ends it.
    const [account, row] = await Promise.all([store.get(accountKey(name)), store.token(hash)])
    if (row === undefined || row.account !== accountKey(name)) return WRONG
    if (row.expiresAt !== null && row.expiresAt <= now())
      return refused('wrong', 'this token has expired: ask for a new one')
    // Once a minute is enough to show whether it is still in use.
    if (now() - (row.usedAt ?? 0) > 60_000) this.#later(store.tokenUsed(hash, now()))
    const verdict = this.#proved(account)
    return verdict.ok ? { ...verdict, token: row.label } : verdict
  }

  #proved(account: FullAccount | undefined): Verdict {
    if (account === undefined) return WRONG
    const suspension = suspensionOf(account.suspended, this.#options.now())
    return suspension === null
      ? { ok: true, account: account.name }
      : refused('suspended', refusalText(suspension))
  }

  #decoyHash(): string {
    const { cost } = this.#options.rules()
    if (this.#decoy.cost !== cost) this.#decoy = { cost, hash: decoyHash(cost) }
    return this.#decoy.hash
  }

  /** Rehashes the password to the present rules: only now is it available. */
  #renew({ key, password: hash, scram }: FullAccount, given: string): void {
    const { cost, keepsScram } = this.#options.rules()
    if (hash !== null && isCurrent(hash, cost) && (scram !== null) === keepsScram) return
    const renewed = async () => {
      const kept = await keptOf(given, this.#options.rules())
      if (kept !== undefined) await this.#options.store.change({ key, ...kept, still: { password: hash } })
    }
    this.#later(renewed())
  }

  #later(work: Promise<unknown>): void {
    work.catch((error: unknown) => this.#options.log.warn({ err: error }, 'an account could not be updated'))
  }
}

export function guessOf(name: string, { address }: Client): Guess {
  return { at: `account ${accountKey(name)}`, address, kind: 'own' }
}

/** The stored form of a password, or of none; undefined when the hash queue is full. */
export async function keptOf(
  password: string | null,
  { cost, keepsScram }: AccountRules,
): Promise<Pick<FullAccount, 'password' | 'scram'> | undefined> {
  if (password === null) return { password, scram: null }
  const prepared = saslPrep(password) ?? ''
  const hash = await hashPassword(prepared, cost)
  const keys = keepsScram ? await makeKeys(prepared, iterationsOf(cost)) : null
  if (hash === undefined || keys === undefined) return undefined
  return { password: hash, scram: keys === null ? null : JSON.stringify(keys) }
}

// RFC 7677 section 4: at least 4096. The client computes as many, so they grow with the cost, up to a cap.
function iterationsOf(cost: number): number {
  return Math.min(Math.max(4096, 2 ** (cost + 2)), 262_144)
}
