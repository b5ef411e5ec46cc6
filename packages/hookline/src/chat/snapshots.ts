// What of the state outlives a stop, as plain data: channels without members, users who are always on, metadata of accounts.
import { OPER_MODES } from '../irc/modes.ts'
import { type Account, type Channel, membership, type State, type User } from './state.ts'

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
