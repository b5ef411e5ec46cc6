// What a feature, an answer or a rule may ask of the chat. The spine is the chat; see there for how each of these is done.
import type { Numeric } from '../irc/numerics.ts'
import type { Rank } from '../irc/modes.ts'
import type { Departures } from './departures.ts'
import type { EventClock } from './eventclock.ts'
import type { Entry, Event, Origin } from './events.ts'
import type { Log, Stamp } from './eventlog.ts'
import type { Monitors } from './monitors.ts'
import type { Batch, BatchFields } from './output/batch.ts'
import type { Narrowing, PeerNarrowing } from './output/fanout.ts'
import type { Line, LineFields, Telling } from './output/line.ts'
import type { Session } from './session.ts'
import type { ChatSettings } from './settings.ts'
import type { Channel, SessionId, State, User, UserKey } from './state.ts'
import type { World } from './world.ts'

/** `change` is what `apply` of the event's feature returned. */
export type Observer = (entry: Entry, change: unknown) => void

export interface Chat {
  readonly world: World
  /** Replaced as a whole when server.yaml changes. */
  settings: ChatSettings
  readonly state: State
  readonly startedAt: number
  /** For HELP, which is one of them. */
  readonly commands: ReadonlyMap<string, { readonly help: string | readonly string[] }>

  // What happens

  readonly log: Log
  readonly clock: EventClock
  propose(event: Event, origin?: Origin): void
  /** Like `log.follow`, with what the entry changed: a user who quit is no longer in the state. */
  observe(observer: Observer): () => void
  newUserKey(): UserKey

  // Connections

  readonly sessions: ReadonlyMap<SessionId, Session>
  /** Connections that have not registered yet. */
  readonly unregistered: number
  readonly monitors: Monitors
  readonly departures: Departures
  sessionsOf(user: User): Session[]
  originOf(entry: Entry): Session | undefined
  /** The connection is that user's from now on. */
  enter(session: Session, user: User): void
  /** Sends `ERROR`, ends the connection and, if it was a user, tells the others. */
  close(session: Session, reason: string): void
  /** Ends a user and all its connections, even one that would stay without any. */
  end(user: User, reason: string): void

  // Lines

  newBatch(): string
  line(fields: Omit<LineFields, 'source'> & { source?: string }): Line
  batch(fields: Omit<BatchFields, 'source' | 'ref'>): Batch
  /** A line that `user` causes: from its mask, stamped like the entry it comes from, if it comes from one. */
  lineOf(
    user: User,
    from: Partial<Stamp>,
    command: string,
    params: readonly string[],
    extra?: Partial<LineFields>,
  ): Line
  /** The same; `user` undefined: the server itself causes it. */
  lineBy(user: User | undefined, entry: Entry, command: string, params: readonly string[]): Line
  numeric(session: Session, numeric: Numeric, params: readonly string[]): Line

  // Telling

  /** Sends a numeric. A parameter before the last may be any user input: it becomes `*` if it cannot stand there. */
  reply(session: Session, numeric: Numeric, ...params: readonly string[]): void
  toUser(user: User, telling: Telling, cap?: number): void
  toChannel(channel: Channel, telling: Telling, narrow?: Narrowing): void
  toPeers(channels: Iterable<Channel>, telling: Telling, narrow?: PeerNarrowing): void
  toRank(channel: Channel, telling: Telling, least: Rank, narrow: Narrowing): void
  /** An action in a channel that may hide it (+u): then only those who see it are told. */
  toViewers(
    channel: Channel,
    telling: Telling,
    narrow: Narrowing & { readonly isHidden: boolean; readonly except: User },
  ): void
  /** A message to a channel: sent together with what is said there next, before anything else is sent to anybody. */
  say(channel: Channel, telling: Telling, narrow: Required<Narrowing>): void
  /** Those who asked for all news of a user, not only whether it is online. */
  followers(user: User): Session[]
}
