// Brings back at start what `snapshots` took: registered channels, users who are always on, and the channels they are in.
import { addressBits } from '../irc/address.ts'
import { type AccountKey, channelKey } from '../irc/names.ts'
import type { Chat } from './chat.ts'
import { updateAway } from './features/away.ts'
import { quitIfStranded } from './features/sessions.ts'
import { stays } from './rules/attach.ts'
import type { ChannelRecord, MetadataRecord, UserRecord } from './snapshots.ts'
import { type Channel, findUser } from './state.ts'

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
