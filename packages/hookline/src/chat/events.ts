// Everything that can happen in the chat. A feature's file says what each event does and how it is announced.
import type { ChannelFlag, ListMode, ModeChange, Rank, UserMode } from '../irc/modes.ts'
import type { AccountKey, ChannelKey } from '../irc/names.ts'
import type { Privilege } from './rules/oper.ts'
import type { SaidLine } from './saidlines.ts'
import type { ChannelRecord } from './snapshots.ts'
import type { AccountSettings, ServerBan, SessionId, UserKey } from './state.ts'
import type { Recipients } from './target.ts'

export type Event =
  | AccessChanged
  | AccountChanged
  | AccountDropped
  | AccountMade
  | Accepted
  | AwayChanged
  | ChannelJoined
  | ChannelModesChanged
  | ChannelParted
  | ChannelRegistered
  | ChannelRestored
  | ChannelUnregistered
  | ChannelRenamed
  | ClockMended
  | Invited
  | Uninvited
  | Kicked
  | LoggedIn
  | MetadataChanged
  | NickChanged
  | OperMade
  | ReadMarked
  | RealnameChanged
  | Redacted
  | Said
  | SessionAttached
  | SessionDetached
  | ServerBanned
  | ServerUnbanned
  | TopicChanged
  | UserModesChanged
  | UserQuit
  | UserRegistered
  | Walloped

/** The session that asked for it: the answer to a JOIN is made where the JOIN is announced. */
export interface Origin {
  readonly session: SessionId
}

/** An event in the log. `at` is in ms, `id` is what clients know as msgid. */
export interface Entry<E extends Event = Event> {
  readonly seq: number
  readonly at: number
  readonly id: string
  readonly origin: Origin | undefined
  readonly event: E
}

// Users and their connections

export type UserRegistered = {
  kind: 'user.registered'
  user: UserKey
  nick: string
  username: string
  host: string
  /** The host of its address, if `host` is another. */
  addressHost?: string
  realname: string
  account: string | null
  modes: readonly UserMode[]
  isSecure: boolean
  /** What it has already set with METADATA. */
  metadata?: Readonly<Record<string, string>>
  /** None for a user without a connection. */
  session: SessionId | undefined
  /** Since when it has none, if that is longer than since this event. */
  goneAt?: number
}

export type SessionAttached = { kind: 'session.attached'; user: UserKey; session: SessionId }

/** It was not the last connection, or the user stays without one. */
export type SessionDetached = {
  kind: 'session.detached'
  user: UserKey
  session: SessionId
  /** Why it went. */
  reason: string
}

export type NickChanged = { kind: 'nick.changed'; user: UserKey; nick: string }

export type RealnameChanged = { kind: 'realname.changed'; user: UserKey; realname: string }

export type AwayChanged = { kind: 'away.changed'; user: UserKey; message: string | undefined }

export type UserModesChanged = { kind: 'user.modes'; user: UserKey; changes: readonly ModeChange<UserMode>[] }

export type OperMade = {
  kind: 'oper.made'
  user: UserKey
  name: string
  title: string
  privileges: readonly Privilege[]
}

export type Accepted = { kind: 'user.accepted'; user: UserKey; other: UserKey; isAccepted: boolean }

export type UserQuit = { kind: 'user.quit'; user: UserKey; reason: string }

// Channels

export type ChannelJoined = {
  kind: 'channel.joined'
  channel: ChannelKey
  /** As typed; only the first member's spelling is kept. */
  name: string
  user: UserKey
  ranks: readonly Rank[]
  /** The modes of the channel, if it is created. */
  flags: readonly ChannelFlag[]
  /** It was in the channel when the server stopped. */
  isBack?: boolean
}

export type ChannelParted = {
  kind: 'channel.parted'
  channel: ChannelKey
  user: UserKey
  reason: string | undefined
}

export type Kicked = {
  kind: 'channel.kicked'
  channel: ChannelKey
  user: UserKey
  by: UserKey
  reason: string
}

export type Invited = {
  kind: 'channel.invited'
  channel: ChannelKey
  user: UserKey
  by: UserKey
  /** Past bans, keys and limits: only those who run the channel can let somebody past its settings. */
  opens: boolean
}

export type Uninvited = { kind: 'channel.uninvited'; channel: ChannelKey; user: UserKey; by: UserKey }

export type TopicChanged = { kind: 'topic.changed'; channel: ChannelKey; by: UserKey; text: string }

export type ChannelModesChanged = {
  kind: 'channel.modes'
  channel: ChannelKey
  /** Undefined if the server itself did it. */
  by: UserKey | undefined
  changes: readonly ChannelChange[]
}

/** One change, decided: a rank names its user, the rest carry their value. */
export type ChannelChange =
  | (ModeChange<Rank> & { readonly user: UserKey })
  | (ModeChange<ListMode> & { readonly param: string })
  | ModeChange<'f' | 'k' | 'l' | ChannelFlag>

export type ChannelRenamed = {
  kind: 'channel.renamed'
  /** Its old key. */
  channel: ChannelKey
  /** The new name. */
  name: string
  by: UserKey
  reason: string
}

/** Also when it passes from one founder to another. */
export type ChannelRegistered = { kind: 'channel.registered'; channel: ChannelKey; founder: AccountKey }

export type ChannelUnregistered = { kind: 'channel.unregistered'; channel: ChannelKey }

/** `rank` undefined: removed from the list. */
export type AccessChanged = {
  kind: 'channel.access'
  channel: ChannelKey
  account: AccountKey
  rank: Rank | undefined
}

/** As it was when the server stopped, without members. */
export type ChannelRestored = { kind: 'channel.restored'; channel: ChannelKey; record: ChannelRecord }

// What is said

export type Said = {
  kind: 'said'
  command: MessageCommand
  from: UserKey
  as?: Puppet
  to: Recipients
  lines: readonly SaidLine[]
  /** What the client sent along: `+` tags only. */
  clientTags: readonly (readonly [string, string])[]
  /** The webhook delivery that caused it. */
  delivery: string | undefined
  /** History has it already: it was on disk before it was announced. */
  isRecorded: boolean
}

export type MessageCommand = 'PRIVMSG' | 'NOTICE' | 'TAGMSG'

/** Somebody who is not here, for whom a user speaks: across a bridge, or in a story. */
export interface Puppet {
  readonly nick: string
  readonly mask: string
  /** Whether a tag names the user who speaks for it. */
  readonly isRelayed: boolean
}

export type Redacted = {
  kind: 'redacted'
  /** Undefined: the server itself, for a user who is not here. */
  by: UserKey | undefined
  /** A recipient who is not here any more is told nothing, but the author's own connections are. */
  to: Recipients | { readonly nick: string }
  /** The msgid. */
  message: string
  reason: string | undefined
}

export type Walloped = { kind: 'walloped'; by: UserKey; text: string }

export type ReadMarked = {
  kind: 'read.marked'
  /** Whose they are: `@` and an account, or the key of a user without one. */
  owner: string
  /** Folded targets and times. Several when an account's markers are read from disk. */
  markers: readonly (readonly [string, number])[]
}

// Accounts and metadata

/** Also proposed at start, for each existing account. */
export type AccountMade = {
  kind: 'account.made'
  name: string
  createdAt: number
  settings: AccountSettings
}

/** Settings that are not named stay as they are. */
export type AccountChanged = { kind: 'account.changed'; account: AccountKey; settings: AccountSettings }

/** Logs out whoever is logged in to it. */
export type AccountDropped = { kind: 'account.dropped'; account: AccountKey }

/** `account` null: logged out. */
export type LoggedIn = { kind: 'user.account'; user: UserKey; account: string | null }

export type MetadataChanged = MetadataOwner & {
  kind: 'metadata.changed'
  values: readonly KeyChange[]
}

/** Whoever is logged in has the account's metadata, wherever and under whatever nick. */
export type MetadataOwner =
  | { readonly user: UserKey }
  | { readonly account: AccountKey }
  | { readonly channel: ChannelKey }

/** Null removes a key. */
export type KeyChange = readonly [key: string, value: string | null]

// The server

/** Also proposed at start, for each existing ban. */
export type ServerBanned = { kind: 'server.banned'; ban: ServerBan }

export type ServerUnbanned = { kind: 'server.unbanned'; target: string }

/** Also proposed at start, for what an earlier run left. */
export type ClockMended = {
  kind: 'clock.mended'
  /** Later times were wrong. */
  until: number
}
