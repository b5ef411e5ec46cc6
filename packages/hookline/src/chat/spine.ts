// The spine: a command checks and proposes, the log orders, `apply` changes state, `announce` tells. One way, for everything.
import { CAPS } from '../irc/caps.ts'
import { echoed, type Incoming } from '../irc/message.ts'
import type { Rank } from '../irc/modes.ts'
import type { Numeric } from '../irc/numerics.ts'
import type { Chat, Observer } from './chat.ts'
import { EventClock } from './eventclock.ts'
import { conversationsOf } from './conversation.ts'
import { Departures } from './departures.ts'
import { dispatch } from './dispatch.ts'
import type { Entry, Event, Origin } from './events.ts'
import { apply, commands, effectOf } from './features/index.ts'
import { liftExpired, turnAwayIfBanned } from './features/serverban.ts'
import { leave } from './features/sessions.ts'
import { localLog, type Log, type Stamp } from './eventlog.ts'
import { Monitors } from './monitors.ts'
import { Batch, type BatchFields } from './output/batch.ts'
import {
  type Narrowing,
  type PeerNarrowing,
  Rosters,
  sessionsOf,
  toChannel,
  toPeers,
  toRank,
} from './output/fanout.ts'
import { Line, type LineFields, type Telling } from './output/line.ts'
import type { Wire } from './output/outbox.ts'
import { Flusher } from './output/flusher.ts'
import { Reader } from './reader.ts'
import { Session, type ConnectionFacts } from './session.ts'
import type { ChatSettings } from './settings.ts'
import {
  type Channel,
  emptyState,
  isBot,
  maskOf,
  type SessionId,
  type State,
  type User,
  type UserKey,
  type WritableState,
} from './state.ts'
import { closeSilent } from './timeouts.ts'
import type { World } from './world.ts'

/** The chat: fulfils what features ask of it, and is what the server drives. */
export class Spine implements Chat {
  readonly world: World
  readonly log: Log
  readonly clock: EventClock
  readonly commands = commands
  readonly monitors = new Monitors()
  readonly departures = new Departures(
    (run) => this.world.soon(run),
    (session, reason) => this.close(session, reason),
  )
  readonly sessions = new Map<SessionId, Session>()
  readonly startedAt: number
  settings: ChatSettings
  readonly #state: WritableState
  readonly #rosters = new Rosters(this.sessions)
  readonly #flusher: Flusher
  readonly #reader: Reader
  readonly #observers = new Set<Observer>()
  readonly #overflow = (session: Session): void => this.departures.add(session, 'SendQ exceeded')
  #lastSession = 0
  #lastUser = 0
  #lastBatch = 0
  #unregistered = 0

  constructor(settings: ChatSettings, world: World) {
    this.settings = settings
    this.#state = emptyState(settings.limits)
    this.world = world
    this.startedAt = world.now()
    this.clock = new EventClock(() => world.now())
    // The id first: history looks for an entry from its id's time on.
    this.log = localLog((event) => ({ id: world.newId(), at: this.#timeOf(event) }))
    this.#flusher = new Flusher((flush) => world.soon(flush))
    this.#reader = new Reader(this, (session, line) => dispatch(this, session, line))
    this.log.follow(0, (entry) => this.#happen(entry))
  }

  get state(): State {
    return this.#state
  }

  observe(observer: Observer): () => void {
    this.#observers.add(observer)
    return () => void this.#observers.delete(observer)
  }

  #happen(entry: Entry): void {
    const change = apply(this.#state, entry)
    try {
      effectOf(entry.event).announce(this, entry.event, change, entry)
    } finally {
      // It has happened, even if announcing it failed.
      for (const observer of this.#observers) this.#tell(observer, entry, change)
    }
  }

  #tell(observer: Observer, entry: Entry, change: unknown): void {
    try {
      observer(entry, change)
    } catch (error) {
      this.world.report(error)
    }
  }

  /** Set once, so that live listeners and later readers get the same time. */
  #timeOf(event: Event): number {
    const where = conversationsOf(this.#state, event)
    if (where === undefined) return this.world.now()
    return typeof where === 'string' ? this.clock.next(where) : this.clock.nextIn(where)
  }

  propose(event: Event, origin?: Origin): void {
    this.log.append(event, origin)
  }

  newUserKey(): UserKey {
    return `u${++this.#lastUser}` as UserKey
  }

  newBatch(): string {
    return (++this.#lastBatch).toString(36)
  }

  // Connections

  connect(wire: Wire, from: ConnectionFacts): Session {
    const session = new Session(++this.#lastSession as SessionId, wire, {
      flusher: this.#flusher,
      ...from,
      now: this.world.elapsed(),
      sendQueueBytes: this.settings.limits.sendQueueBytes,
      overflow: this.#overflow,
    })
    this.sessions.set(session.id, session)
    this.#unregistered++
    turnAwayIfBanned(this, session)
    return session
  }

  enter(session: Session, user: User): void {
    session.enter(user)
    this.#unregistered--
  }

  get unregistered(): number {
    return this.#unregistered
  }

  /** Lines that arrived together. */
  receive(session: Session, lines: readonly Incoming[]): void {
    this.#reader.receive(session, lines)
  }

  close(session: Session, reason: string): void {
    if (session.isClosed) return
    hangUp(this, session, reason)
    this.disconnect(session, reason)
  }

  end(user: User, reason: string): void {
    for (const session of this.sessionsOf(user)) {
      hangUp(this, session, reason)
      this.#forget(session)
    }
    this.propose({ kind: 'user.quit', user: user.key, reason })
  }

  /** Everybody, without telling the others: in a channel of thousands each would hear of thousands. */
  closeAll(reason: string): void {
    const sessions = [...this.sessions.values()]
    for (const session of sessions) hangUp(this, session, reason)
    this.sessions.clear()
    for (const session of sessions) this.disconnect(session, reason)
  }

  /** The connection is gone, whoever ended it. */
  disconnect(session: Session, reason: string): void {
    if (session.isClosed) return
    this.#forget(session)
    if (session.user === undefined) this.#unregistered--
    else leave(this, session, session.user, reason)
  }

  #forget(session: Session): void {
    session.isClosed = true
    this.sessions.delete(session.id)
    this.monitors.forget(session)
  }

  /** Once a second: silent connections, unfinished registrations, expired bans. */
  tick(): void {
    closeSilent(this)
    liftExpired(this)
  }

  /** Writes what is gathered now instead of at the end of the turn. */
  flush(): void {
    this.#flusher.flush()
  }

  // Telling

  line(fields: Omit<LineFields, 'source'> & { source?: string }): Line {
    return new Line({ source: this.settings.name, ...fields })
  }

  batch(fields: Omit<BatchFields, 'source' | 'ref'>): Batch {
    return new Batch({ source: this.settings.name, ref: this.newBatch(), ...fields })
  }

  lineOf(
    user: User,
    { at, id }: Partial<Stamp>,
    command: string,
    params: readonly string[],
    extra?: Partial<LineFields>,
  ): Line {
    return new Line({
      source: maskOf(user),
      command,
      params,
      at,
      account: user.account,
      id,
      isBot: isBot(user),
      ...extra,
    })
  }

  lineBy(user: User | undefined, entry: Entry, command: string, params: readonly string[]): Line {
    if (user === undefined) return this.line({ command, params, at: entry.at, id: entry.id })
    return this.lineOf(user, entry, command, params)
  }

  reply(session: Session, numeric: Numeric, ...params: readonly string[]): void {
    session.send(this.numeric(session, numeric, params))
  }

  numeric(session: Session, numeric: Numeric, params: readonly string[]): Line {
    const { nick } = session
    const all = numeric.text === undefined ? [nick, ...params] : [nick, ...params, numeric.text]
    const last = all.length - 1
    const fitting = all.map((param, i) => (i < last ? echoed(param) : param))
    return this.line({ command: numeric.code, params: fitting, at: this.world.now() })
  }

  toChannel(channel: Channel, telling: Telling, narrow?: Narrowing): void {
    toChannel(this.#rosters, channel, telling, narrow)
  }

  say(channel: Channel, telling: Telling, narrow: Required<Narrowing>): void {
    this.#flusher.say(this.#rosters.of(channel), telling, narrow)
  }

  toRank(channel: Channel, telling: Telling, least: Rank, narrow: Narrowing): void {
    toRank(this.sessions, channel, telling, least, narrow)
  }

  toViewers(
    channel: Channel,
    telling: Telling,
    { isHidden, ...narrow }: Narrowing & { readonly isHidden: boolean; readonly except: User },
  ): void {
    if (isHidden) this.toPeers([channel], telling, { ...narrow, hiddenIn: new Set([channel.key]) })
    else toChannel(this.#rosters, channel, telling, narrow)
  }

  toPeers(channels: Iterable<Channel>, telling: Telling, narrow?: PeerNarrowing): void {
    toPeers(this.#rosters, channels, telling, narrow)
  }

  followers(user: User): Session[] {
    return [...this.monitors.of(user)].filter((session) => session.has(CAPS['extended-monitor']))
  }

  toUser(user: User, telling: Telling, cap = 0): void {
    for (const session of this.sessionsOf(user)) if (session.hears(cap)) session.send(telling)
  }

  sessionsOf(user: User): Session[] {
    return sessionsOf(this.sessions, user)
  }

  originOf(entry: Entry): Session | undefined {
    return entry.origin === undefined ? undefined : this.sessions.get(entry.origin.session)
  }
}

function hangUp({ settings }: Chat, session: Session, reason: string): void {
  const answer = session.response?.write(settings.name, session.caps) ?? ''
  session.response = undefined
  const error = new Line({ source: undefined, command: 'ERROR', params: [reason] })
  session.outbox.finish(answer + error.form(0))
}
