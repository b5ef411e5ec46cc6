// What the chat is given of the world outside it.
import type { Accounts } from './accounts.ts'
import type { History } from './past.ts'
import type { ServerBan } from './state.ts'

/** What the chat needs from the world. Injected, so that it has no clock, randomness or I/O of its own. */
export interface World {
  /** The time of day in Unix ms, for timestamps. It goes back only if it was more than a day ahead. */
  now(): number
  /** The time that the server has seen pass: nothing ends for good before. Without it, `now`. */
  trusted?: () => number
  /** Whole ms since the server started, monotonic: for durations. */
  elapsed(): number
  /** A message's id: unique, sorts by time, not guessable. */
  newId(): string
  /** Runs `flush` when this turn's input has been read. */
  soon(flush: () => void): void
  later(ms: number, run: () => void): void
  /** True while history cannot keep up: speakers are then read more slowly, and nothing is lost. */
  isBehind(): boolean
  accounts: Accounts
  passwords: Passwords
  history: History
  /** Equal for names that look alike; undefined if names are ASCII. */
  skeleton?: ((name: string) => string) | undefined
  /** Whether a bot has that name, in the chat or not. */
  isBotName?: (name: string) => boolean
  /** Of all bots, in the chat or not. */
  botNames?: () => Iterable<string>
  /** What others see of an address; if undefined, the address itself. */
  cloak?: ((address: string) => string) | undefined
  /** Stores server bans; without it they end with the process. False: the disk refused it. */
  bans?: { save(ban: ServerBan): Promise<boolean>; remove(target: string): Promise<boolean> }
  /** An internal error, for the log: the connection that met it is closed, and the others go on. */
  report(error: unknown): void
  /** What server operators do, and who fails to become one. */
  audit?(act: OperatorAct): void
  /** For REHASH; if it is not applied, the warnings say why. */
  rehash(): Promise<{ isApplied: boolean; warnings: readonly string[] }>
}

/** Passwords that are no account's. */
export interface Passwords {
  /**
   * `at`: what it would prove, such as `OPER root`; `shared` if it is everybody's. `busy`: too many are being checked. `late`: too many were
   * wrong before, so that it was not looked at.
   */
  compare(guess: {
    readonly at: string
    readonly kind: 'own' | 'shared'
    readonly address: string
    readonly hash: string
    readonly password: string
    /** The hash is somebody else's, and only takes as long: nothing is right. */
    readonly isDecoy?: boolean
  }): Promise<'right' | 'wrong' | 'busy' | 'late'>
}

export interface OperatorAct {
  readonly nick: string
  readonly address: string
  /** The name in `opers`; undefined for non-operators. */
  readonly oper: string | undefined
  /** `KILL`, `NickServ SUSPEND`. */
  readonly command: string
  /** The first parameters of a command, the first of a service's verb: none of them is a secret. */
  readonly about: string | undefined
  readonly isRefused: boolean
  /** It was not looked at: too many were wrong before. */
  readonly isLate?: boolean
}
