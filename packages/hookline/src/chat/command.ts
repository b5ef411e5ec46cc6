// What a command is: facts that `dispatch` checks once for everybody, and what it does.
import type { Message } from '../irc/message.ts'
import type { Numeric } from '../irc/numerics.ts'
import type { Entry, Event } from './events.ts'
import type { Privilege } from './rules/oper.ts'
import type { Session } from './session.ts'
import type { Chat } from './spine.ts'
import type { State, User, WritableState } from './state.ts'

/** One command being dealt with. */
export interface Turn {
  readonly chat: Chat
  readonly state: State
  readonly session: Session
  /** Undefined before registration. */
  readonly user: User | undefined
  /** A parameter before the last may be anything that somebody typed: where it cannot stand there, `*` does. */
  readonly reply: (numeric: Numeric, ...params: readonly string[]) => void
  /** IRCv3 standard replies: https://ircv3.net/specs/extensions/standard-replies. The same holds of `context`. */
  readonly fail: (code: string, context: readonly string[], text: string) => void
  readonly propose: (event: Event) => void
}

export interface UserTurn extends Turn {
  readonly user: User
}

interface Facts {
  readonly name: string
  readonly minParams: number
  /** For HELP: a line, or one for each form it has. Each begins with the name. */
  readonly help: string | readonly string[]
  /** A privilege of server operators without which it answers 481. */
  readonly privilege?: Privilege
}

/**
 * `prepare` is the slow work: this connection waits for it, the server does not, and `run` gets what came out. `run` then goes
 * to its end without a pause, so what it looked at is still so when it proposes. `Prepared` includes undefined where `prepare` may find
 * nothing to do.
 */
export type Command<Prepared = unknown> = Facts &
  (
    | {
        readonly when: 'registered'
        run(turn: UserTurn, message: Message, prepared: Prepared): void
        prepare?(turn: UserTurn, message: Message): Promise<Prepared> | undefined
      }
    | {
        readonly when: 'unregistered' | 'always'
        run(turn: Turn, message: Message, prepared: Prepared): void
        prepare?(turn: Turn, message: Message): Promise<Prepared> | undefined
      }
  )

/** What an event does, and how it is told. `apply` may hand `announce` what it would otherwise have no way to know. */
export interface Happening<E extends Event> {
  apply(state: WritableState, event: E, entry: Entry): unknown
  announce(chat: Chat, event: E, change: unknown, entry: Entry): void
}

/** Ties the two halves of a happening together by what passes between them. */
export function happening<E extends Event, Change = void>(halves: {
  apply(state: WritableState, event: E, entry: Entry): Change
  announce(chat: Chat, event: E, change: Change, entry: Entry): void
}): Happening<E> {
  return halves as Happening<E>
}
