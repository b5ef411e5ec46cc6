// What must be restored when the server starts: registered channels, users who are always on, and the channels they are in.
import { addressBits } from '../irc/address.ts'
import { OPER_MODES } from '../irc/modes.ts'
import { type AccountKey, channelKey } from '../irc/names.ts'
import { updateAway } from './features/away.ts'
import { quitIfStranded } from './features/sessions.ts'
import { stays } from './rules/attach.ts'
import type { Chat } from './spine.ts'
import { type Account, type Channel, findUser, membership, type State, type User } from './state.ts'

export type ChannelRecord = ReturnType<typeof channelRecord>
export type UserRecord = ReturnType<typeof userRecord>
export type MetadataRecord = Readonly<Record<string, string>>

/** Everything about a channel except who is in it, with those of its former names that still lead to it. */
export function channelRecord({ renamed }: State, channel: Channel) {
  const { key: _, members: __, invited: ___, version: ____, flags, metadata, registration, ...rest } = channel
  return {
    ...rest,
    formerNames: rest.formerNames.filter((name) => renamed.get(name) === channel),
    flags: [...flags],
    metadata: Object.fromEntries(metadata),
    registration: registration && { ...registration, access: [...registration.access] },
  }
}

/** Without operator status, which ends when the user goes. */
export function userRecord(user: User) {
  const { account, nick, username, host, addressHost, realname, isSecure, goneAt, modes, channels } = user
  return {
    account,
    nick,
    username,
    host,
    ...(addressHost === undefined ? {} : { addressHost }),
    realname,
    isSecure,
    ...(goneAt === undefined ? {} : { goneAt }),
    modes: [...modes].filter((mode) => !OPER_MODES.includes(mode)),
    channels: [...channels.values()].map((channel) => ({
      name: channel.name,
      ranks: membership(channel, user)?.ranks ?? [],
    })),
  }
}

/** Null if an account has no metadata, or is gone. */
export function metadataRecord(account: Account | undefined): MetadataRecord | null {
  return account === undefined || account.metadata.size === 0 ? null : Object.fromEntries(account.metadata)
}

/** A channel lasts if it is registered, or while a member is always on. */
export function lasts({ settings, state }: Chat, channel: Channel): boolean {
  if (channel.registration !== undefined) return true
  for (const { user } of channel.members.values()) if (stays(settings, state, user)) return true
  return false
}

/** After the accounts. An unknown account is skipped. */
export function restoreMetadata(chat: Chat, account: AccountKey, record: MetadataRecord): void {
  if (!chat.state.accounts.has(account)) return
  chat.propose({ kind: 'metadata.changed', account, values: Object.entries(record) })
}

/** Before any user is there. */
export function restoreChannel(chat: Chat, record: ChannelRecord): void {
  chat.propose({ kind: 'channel.restored', channel: channelKey(record.name), record })
}

/** After the accounts and the channels. A user who may no longer be always on, or whose nick is taken, does not come back. */
export function restoreUser(chat: Chat, { channels, ...record }: UserRecord): void {
  const user = chat.newUserKey()
  if (record.account === null || findUser(chat.state, record.nick) !== undefined) return
  const host = cloaked(chat, record.host)
  chat.propose({ kind: 'user.registered', user, ...record, host, session: undefined })
  const here = chat.state.users.get(user)
  if (here === undefined) return
  updateAway(chat, here)
  const flags = chat.settings.channelFlags
  for (const { name, ranks } of channels) {
    const channel = channelKey(name)
    chat.propose({ kind: 'channel.joined', channel, name, user, ranks, flags, isBack: true })
  }
  quitIfStranded(chat, here)
}

/** A host stored before cloaks existed may be an address. */
function cloaked({ world: { cloak } }: Chat, host: string): string {
  return cloak === undefined || addressBits(host) === undefined ? host : cloak(host)
}
