// Who hears a line: a channel's members, those who share a channel, one user.
import { isAtLeast, type Rank } from '../../irc/modes.ts'
import type { ChannelKey } from '../../irc/names.ts'
import { isHidden, seesHidden } from '../rules/see.ts'
import type { Session } from '../session.ts'
import type { Channel, SessionId, User } from '../state.ts'
import type { Telling } from './line.ts'

export type Sessions = ReadonlyMap<SessionId, Session>

/** Sessions of a channel's members, kept until the channel's version changes. */
export class Rosters {
  readonly #sessions: Sessions
  readonly #kept = new WeakMap<Channel, { version: number; sessions: readonly Session[] }>()

  constructor(sessions: Sessions) {
    this.#sessions = sessions
  }

  of(channel: Channel): readonly Session[] {
    if (this.#sessions.size === 0) return []
    const kept = this.#kept.get(channel)
    if (kept?.version === channel.version) return kept.sessions
    const sessions: Session[] = []
    for (const { user } of channel.members.values()) {
      for (const id of user.sessions) {
        const session = this.#sessions.get(id)
        if (session !== undefined) sessions.push(session)
      }
    }
    this.#kept.set(channel, { version: channel.version, sessions })
    return sessions
  }

  /** Those of members who see everybody, although it is an auditorium. */
  seeing(channel: Channel): readonly Session[] {
    return this.of(channel).filter(({ user }) => user !== undefined && seesHidden(channel, user))
  }
}

/** Who of those who would hear a line does not: this user, and sessions without this capability. */
export interface Narrowing {
  readonly except?: User
  readonly cap?: number
}

export interface PeerNarrowing extends Narrowing {
  readonly also?: Iterable<Session>
  /** The channels that hide the user it is about; by default those that hide `except`. */
  readonly hiddenIn?: ReadonlySet<ChannelKey>
  /** Narrows it further. */
  readonly only?: (session: Session) => boolean
}

export function sessionsOf(sessions: Sessions, user: User): Session[] {
  const found: Session[] = []
  for (const id of user.sessions) {
    const session = sessions.get(id)
    if (session !== undefined) found.push(session)
  }
  return found
}

export function toChannel(rosters: Rosters, channel: Channel, telling: Telling, narrow?: Narrowing): void {
  const except = narrow?.except
  const cap = narrow?.cap ?? 0
  for (const session of rosters.of(channel)) {
    if (session.user === except && except !== undefined) continue
    if (session.hears(cap)) session.send(telling)
  }
}

/** To members of at least this rank. */
export function toRank(
  sessions: Sessions,
  channel: Channel,
  telling: Telling,
  least: Rank,
  { except, cap = 0 }: Narrowing,
): void {
  for (const { user, ranks } of channel.members.values()) {
    if (user.key === except?.key || !isAtLeast(ranks, least)) continue
    for (const session of sessionsOf(sessions, user)) if (session.hears(cap)) session.send(telling)
  }
}

/**
 * Once to each session of everybody in one of `channels`, and to those in `also`; never to `except`. In a channel that hides the user
 * it is about, only those who could see that user are told.
 */
export function toPeers(
  rosters: Rosters,
  channels: Iterable<Channel>,
  telling: Telling,
  narrow: PeerNarrowing = {},
): void {
  const { except, cap = 0, also = [], hiddenIn, only } = narrow
  const places = [...channels]
  const others = [...also]
  // Within one channel nobody occurs twice.
  const told = places.length + others.length > 1 ? new Set<Session>() : undefined
  const tell = (session: Session) => {
    if (session.user === except && except !== undefined) return
    if (!session.hears(cap) || told?.has(session) === true) return
    if (only !== undefined && !only(session)) return
    told?.add(session)
    session.send(telling)
  }
  for (const channel of places) {
    const hides = hiddenIn?.has(channel.key) ?? (except !== undefined && isHidden(channel, except))
    if (hides) rosters.seeing(channel).forEach(tell)
    else rosters.of(channel).forEach(tell)
  }
  others.forEach(tell)
}
