// What a command is: requirements that `dispatch` checks for all, and what it does.
import type { Message } from '../irc/message.ts'
import type { Numeric } from '../irc/numerics.ts'
import type { Chat } from './chat.ts'
import type { Entry, Event } from './events.ts'
import type { Privilege } from './rules/oper.ts'
import type { Session } from './session.ts'
import type { State, User, WritableState } from './state.ts'

/** One command being handled. */
export interface Turn {
  readonly chat: Chat
  readonly state: State
  readonly session: Session
  /** Undefined before registration. */
  readonly user: User | undefined
  /** See `Chat.reply`. */
  readonly reply: (numeric: Numeric, ...params: readonly string[]) => void
  readonly fail: (...failure: Failure) => void
  readonly propose: (event: Event) => void
}

/** A FAIL after its command: https://ircv3.net/specs/extensions/standard-replies. `context` may be any user input, as in a reply. */
export type Failure = readonly [code: string, context: readonly string[], text: string]

export interface UserTurn extends Turn {
  readonly user: User
}

interface Facts {
  readonly name: string
  readonly minParams: number
  /** For HELP: a line, or one for each form. Each begins with the name. */
  readonly help: string | readonly string[]
  /** A server operator's privilege without which it answers 481 or 723. */
  readonly privilege?: Privilege
  /** How many parameters of a command with a privilege the log has, none of which may be a secret: two if nothing else is said. */
  readonly audited?: number
}

/**
 * `prepare` is the slow work: this connection waits for it, the server does not, and `run` gets its result. `run` is synchronous, so
 * what it checked still holds when it proposes. `Prepared` includes undefined if `prepare` may find nothing to do.
 */
export type Command<Prepared = unknown> = Facts &
  (
    | {
        readonly when: 'registered'
        run(turn: UserTurn, message: Message, prepared: Prepared): void
        prepare?(turn: UserTurn, message: Message): Promise<Prepared> | undefined
        /** Instead of `run`, if the connection was closed meanwhile: tells the others what is on disk by now. */
        conclude?(turn: UserTurn, message: Message, prepared: Prepared): void
      }
    | {
        readonly when: 'unregistered' | 'always'
        run(turn: Turn, message: Message, prepared: Prepared): void
        prepare?(turn: Turn, message: Message): Promise<Prepared> | undefined
      }
  )

/** What an event does, and how it is announced. `apply` may return what `announce` could not know otherwise. */
export interface Effect<E extends Event, Change = unknown> {
  apply(state: WritableState, event: E, entry: Entry): Change
  announce(chat: Chat, event: E, change: Change, entry: Entry): void
}

/** Ties the two halves of an effect together by the type that passes between them. */
export function effect<E extends Event, Change = void>(halves: Effect<E, Change>): Effect<E, Change> {
  return halves
}
