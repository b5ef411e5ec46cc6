// Which connections want to be told when somebody comes or goes; see features/monitor.ts, which tells them.
import { type NickKey, nickKey } from '../irc/names.ts'
import type { Session } from './session.ts'
import { put, take } from './emptycollections.ts'
import { type User } from './state.ts'

/** Which connections monitor which nick. Local to this server, as connections are. */
export class Monitors {
  readonly #sessions = new Map<NickKey, Set<Session>>()

  follow(session: Session, nick: string): void {
    const key = nickKey(nick)
    session.monitored = put(session.monitored, key, nick)
    const sessions = this.#sessions.get(key)
    if (sessions === undefined) this.#sessions.set(key, new Set([session]))
    else sessions.add(session)
  }

  drop(session: Session, key: NickKey): void {
    session.monitored = take(session.monitored, key)
    const sessions = this.#sessions.get(key)
    sessions?.delete(session)
    if (sessions?.size === 0) this.#sessions.delete(key)
  }

  forget(session: Session): void {
    for (const key of session.monitored.keys()) this.drop(session, key)
  }

  /** The connections that monitor this nick. */
  of({ nick }: Pick<User, 'nick'>): Iterable<Session> {
    return this.#sessions.get(nickKey(nick)) ?? []
  }
}
