// Who is where. Only `apply` changes anything here; all else sees it readonly.
import type { Bits } from '../irc/address.ts'
import {
  type AccountKey,
  accountKey,
  type ChannelKey,
  channelKey,
  type NickKey,
  nickKey,
} from '../irc/names.ts'
import { type ChannelFlag, type ListMode, type Rank, type UserMode, userModes } from '../irc/modes.ts'
import type { Privilege } from './rules/oper.ts'

declare const key: unique symbol
/** Identifies a user for as long as it exists, whatever its nick. */
export type UserKey = string & { readonly [key]: 'user' }
/** Identifies one connection of a user. */
export type SessionId = number & { readonly [key]: 'session' }

export interface WritableUser {
  readonly key: UserKey
  nick: string
  /** The id of the entry since which it has this nick: an earlier holder is somebody else. */
  nickSince: string
  username: string
  /** As others see it. */
  host: string
  /** The host of its address, if `host` is another: a ban of it still applies. */
  readonly addressHost?: string | undefined
  realname: string
  /** As its owner spells it; null for whoever is not logged in. */
  account: string | null
  /** Why the user is away; undefined while present. */
  away: string | undefined
  /** Shared by all with the same modes: see `setUserModes`. */
  modes: ReadonlySet<UserMode>
  oper: { name: string; title: string; privileges: readonly Privilege[] } | undefined
  channels: ReadonlyMap<ChannelKey, WritableChannel>
  /** Channels that it was invited to, until the next JOIN there. */
  invitations: ReadonlySet<ChannelKey>
  readonly signedOnAt: number
  /** A bot, or a voice from the command line. Somebody who has lost both account and connection is none. */
  readonly isVirtual: boolean
  readonly isSecure: boolean
  /** Empty for a bot, and for an always-on user who is not connected; else one for each connection. */
  sessions: SessionId[]
  /** When its last connection went; undefined while it has one, and for a bot. */
  goneAt: number | undefined
  /** What it set while it was not logged in; its account has the rest. */
  metadata: ReadonlyMap<string, string>
}

export interface WritableMember {
  readonly user: WritableUser
  /** The channel's name when they joined. A bot still finds it by this. */
  readonly joinedAs: ChannelKey
  /** Highest first. */
  ranks: Rank[]
}

export interface Topic {
  readonly text: string
  readonly by: string
  readonly at: number
}

export interface ListEntry {
  readonly mask: string
  readonly by: string
  readonly at: number
}

/** Makes a channel somebody's: it stays without members, and knows its people by their accounts. */
export interface WritableRegistration {
  readonly founder: AccountKey
  /** Since when it is the founder's. */
  readonly at: number
  /** Ranks given to those who join, besides the founder's. */
  access: Map<AccountKey, Rank>
}

export interface WritableChannel {
  key: ChannelKey
  /** As written by its first member, or by whoever renamed it. */
  name: string
  /** What it was called before, oldest first. */
  formerNames: readonly ChannelKey[]
  /** Undefined until it is renamed. */
  renamedAt: number | undefined
  /** No two channels have the same: see `createdAfterAll`. */
  readonly createdAt: number
  /** Since when somebody runs it: if only bots were left in an unregistered channel, the next to join does. */
  inhabitedSince: number
  topic: Topic | undefined
  flags: Set<ChannelFlag>
  password: string | undefined
  limit: number | undefined
  /** The channel to which those are forwarded who cannot join, as written. */
  forward: string | undefined
  lists: Record<ListMode, ListEntry[]>
  members: Map<UserKey, WritableMember>
  metadata: ReadonlyMap<string, string>
  /** Who was invited and has not joined yet. */
  invited: Set<UserKey>
  registration: WritableRegistration | undefined
  /** Goes up whenever the listeners of this channel change, so that others may cache. */
  version: number
}

export interface WhowasEntry {
  readonly nick: string
  readonly username: string
  readonly host: string
  readonly realname: string
  readonly at: number
}

/** A name that belongs to somebody, here or not. What proves it is kept elsewhere. */
export interface WritableAccount {
  readonly key: AccountKey
  readonly name: string
  createdAt: number
  settings: AccountSettings
  /** For everybody who is logged in to it. */
  metadata: ReadonlyMap<string, string>
  /** Everybody who is logged in to it now, longest first. */
  users: Set<WritableUser>
}

/** What people choose for their account; undefined leaves it to the server. */
export interface AccountSettings {
  /** Further connections may join the existing user. */
  readonly multiclient?: boolean
  /** The user stays when its last connection goes. */
  readonly alwaysOn?: boolean
  /** Last messages shown at JOIN to clients that cannot ask for them. */
  readonly autoreplayLines?: number
}

/** Keeps somebody off the server. */
export interface ServerBan {
  /** An address or a network in its shortest form, or a folded mask. Identifies the ban. */
  readonly target: string
  /** What an address must begin with; null for a mask. */
  readonly network: Bits | null
  /** Those who are logged in are exempt. */
  readonly needsAccount: boolean
  readonly reason: string
  readonly by: string
  readonly at: number
  /** Null: until it is lifted. */
  readonly until: number | null
}

export interface WritableState {
  /** How far somebody has read, by owner and folded target; the last moved are last. */
  readMarkers: Map<string, Map<string, number>>
  /** By target. */
  bans: Map<string, ServerBan>
  accounts: Map<AccountKey, WritableAccount>
  users: Map<UserKey, WritableUser>
  nicks: Map<NickKey, WritableUser>
  channels: Map<ChannelKey, WritableChannel>
  /** When the newest channel was created, there or not. */
  newestChannelAt: number
  /** Former names that no other channel has taken: they lead to the renamed channel. */
  renamed: Map<ChannelKey, WritableChannel>
  /** Users whom a user with +R hears although they are not logged in. */
  accepts: Map<UserKey, Set<UserKey>>
  /** Newest last. */
  whowas: WhowasEntry[]
  /** How many of them are kept. */
  readonly whowasEntries: number
  /** The most users that were here at once. */
  mostUsers: number
  /** Users with +i, and with +o: counted as they change, since every new user is told the numbers. */
  invisible: number
  operators: number
}

/** The same, readonly at every depth, for all but `apply`. */
export type View<T> = T extends string | number | boolean | null | undefined
  ? T
  : T extends ReadonlyMap<infer K, infer V>
    ? ReadonlyMap<K, View<V>>
    : T extends ReadonlySet<infer V>
      ? ReadonlySet<View<V>>
      : T extends readonly (infer V)[]
        ? readonly View<V>[]
        : { readonly [K in keyof T]: View<T[K]> }

export type State = View<WritableState>
export type User = View<WritableUser>
export type Member = View<WritableMember>
export type Channel = View<WritableChannel>
export type Account = View<WritableAccount>

export function emptyState({ whowasEntries }: { whowasEntries: number }): WritableState {
  return {
    bans: new Map(),
    readMarkers: new Map(),
    accounts: new Map(),
    users: new Map(),
    nicks: new Map(),
    channels: new Map(),
    newestChannelAt: 0,
    renamed: new Map(),
    accepts: new Map(),
    whowas: [],
    whowasEntries,
    mostUsers: 0,
    invisible: 0,
    operators: 0,
  }
}

/** For `apply`: when a channel is created at `at`. History knows a channel by that, whatever name it takes later. */
export function createdAfterAll(state: WritableState, at: number): number {
  state.newestChannelAt = Math.max(at, state.newestChannelAt + 1)
  return state.newestChannelAt
}

/** For `apply`: `user` is logged in to `account` from now on; null is none. */
export function enterAccount(state: WritableState, user: WritableUser, account: string | null): void {
  if (user.account !== null) state.accounts.get(accountKey(user.account))?.users.delete(user)
  user.account = account
  if (account !== null) state.accounts.get(accountKey(account))?.users.add(user)
}

/** For `apply`: sets the modes of `user`. */
export function setUserModes(state: WritableState, user: WritableUser, modes: Iterable<UserMode>): void {
  const before = user.modes
  user.modes = userModes(modes)
  state.invisible += Number(user.modes.has('i')) - Number(before.has('i'))
  state.operators += Number(user.modes.has('o')) - Number(before.has('o'))
}

/** For `apply`: keeps a nick that is given up for WHOWAS. */
export function rememberNick(
  state: WritableState,
  { nick, username, host, realname }: WritableUser,
  at: number,
): void {
  state.whowas.push({ nick, username, host, realname, at })
  if (state.whowas.length > state.whowasEntries) state.whowas.shift()
}

/** Finds a user by a name that somebody typed. */
export function findUser(state: State, nick: string): User | undefined {
  return state.nicks.get(nickKey(nick))
}

export function findChannel(state: State, name: string): Channel | undefined {
  return state.channels.get(channelKey(name))
}

export function findAccount(state: State, name: string): Account | undefined {
  return state.accounts.get(accountKey(name))
}

/** The account that somebody is logged in to; undefined for nobody's, and once it is dropped. */
export function accountOf(state: State, { account }: Pick<User, 'account'>): Account | undefined {
  return account === null ? undefined : findAccount(state, account)
}

export function membership(channel: Channel, user: User): Member | undefined {
  return channel.members.get(user.key)
}

/** A user's metadata: that of its account, if it is logged in. */
export function metadataOf(state: State, user: User): ReadonlyMap<string, string> {
  return accountOf(state, user)?.metadata ?? user.metadata
}

/** `nick!user@host` */
export function maskOf(user: {
  readonly nick: string
  readonly username: string
  readonly host: string
}): string {
  return `${user.nick}!${user.username}@${user.host}`
}

export function isBot(user: User): boolean {
  return user.modes.has('B')
}

/** Where an event says that it is there: one about something that is not is a bug. */
export function mustGet<K, V>(map: ReadonlyMap<K, V>, wanted: K): V {
  const found = map.get(wanted)
  if (found === undefined) throw new Error(`the log speaks of ${String(wanted)}, who is not here`)
  return found
}
