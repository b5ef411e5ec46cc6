// Changes of metadata, and who is told: all who subscribed to the key and see its owner.
import type { ChannelKey } from '../../../irc/names.ts'
import type { Chat } from '../../chat.ts'
import { effect, type Turn } from '../../command.ts'
import type { KeyChange, MetadataChanged, MetadataOwner } from '../../events.ts'
import { KeyTelling } from '../../output/keyvalue.ts'
import { fitting, mayKnowUser, readsMetadata } from '../../rules/metadata.ts'
import { isHidden } from '../../rules/see.ts'
import type { Session } from '../../session.ts'
import { NO_ENTRIES, put, take } from '../../emptycollections.ts'
import {
  type Account,
  accountOf,
  type Channel,
  findAccount,
  metadataOf,
  mustGet,
  type User,
  type WritableAccount,
  type WritableChannel,
  type WritableState,
  type WritableUser,
} from '../../state.ts'

export const metadataChanged = effect<MetadataChanged>({
  apply(state, event) {
    const owner = ownerIn(state, event)
    for (const [key, value] of event.values) {
      owner.metadata = value === null ? take(owner.metadata, key) : put(owner.metadata, key, value)
    }
  },
  announce(chat, event, _, entry) {
    const { state } = chat
    const origin = chat.originOf(entry)
    if ('channel' in event) {
      tellOfChannel(chat, mustGet(state.channels, event.channel), event.values, origin)
    } else if ('account' in event) {
      for (const user of mustGet(state.accounts, event.account).users)
        tellOfUser(chat, user, event.values, origin)
    } else {
      const user = mustGet(state.users, event.user)
      // What was set before the login is not visible.
      if ('user' in ownerOf(chat, user)) tellOfUser(chat, user, event.values, origin)
    }
  },
})

function ownerIn(
  state: WritableState,
  owner: MetadataOwner,
): WritableUser | WritableAccount | WritableChannel {
  if ('channel' in owner) return mustGet(state.channels, owner.channel)
  return 'account' in owner ? mustGet(state.accounts, owner.account) : mustGet(state.users, owner.user)
}

export function ownerOf(chat: Chat, user: User): MetadataOwner {
  const account = accountOf(chat.state, user)
  return account === undefined ? { user: user.key } : { account: account.key }
}

/** For `user.account`: what was set before the login moves to the account, and everybody is told what differs. */
export function carryMetadata(chat: Chat, user: User, was: string | null): void {
  const { state, settings } = chat
  const before = was === null ? user.metadata : (findAccount(state, was)?.metadata ?? NO_ENTRIES)
  const after = metadataOf(state, user)
  if (before === after) return
  const own = was === null ? user.metadata : NO_ENTRIES
  const kept = fitting(after, own, settings.metadata?.maxKeys ?? 0)
  if (kept.length > 0) chat.propose({ kind: 'metadata.changed', ...ownerOf(chat, user), values: kept })
  if (own.size > 0) chat.propose({ kind: 'metadata.changed', user: user.key, values: removing(own) })
  const carried = new Set(kept.map(([key]) => key))
  const gone = removing(before).filter(([key]) => !after.has(key))
  const come = [...after].filter(([key, value]) => before.get(key) !== value)
  const changes = [...gone, ...come].filter(([key]) => !carried.has(key))
  tellOfUser(chat, user, changes)
}

/** What a connection set before it logged in moves to the account. */
export function introduceAccount({ chat, session, state, propose }: Turn): void {
  const { metadata } = session.introduction
  const account = accountOf(state, session.introduction)
  if (account === undefined || metadata.size === 0) return
  const given = fitting(account.metadata, metadata, chat.settings.metadata?.maxKeys ?? 0)
  const values = given.filter(([key, value]) => account.metadata.get(key) !== value)
  session.introduction.metadata = NO_ENTRIES
  if (values.length > 0) propose({ kind: 'metadata.changed', account: account.key, values })
}

/** For `account.dropped`: the account is no longer in the state. */
export function tellDropped(chat: Chat, { users, metadata }: Account): void {
  for (const user of users) tellOfUser(chat, user, removing(metadata))
}

/** Tells those in the channel who see the newcomer. */
export function tellArrival(chat: Chat, channel: Channel, user: User): void {
  for (const [key, value] of metadataOf(chat.state, user)) {
    const only = (session: Session) => wants(session, key)
    chat.toPeers([channel], new KeyTelling(chat, user.nick, key, value), { except: user, only })
  }
}

export function removing(metadata: ReadonlyMap<string, string>): KeyChange[] {
  return Array.from(metadata.keys(), (key) => [key, null])
}

/** To those who share a channel or monitor it, and to its own connections except the one that made the change. */
function tellOfUser(chat: Chat, user: User, changes: readonly KeyChange[], origin?: Session): void {
  const hiddenIn = new Set<ChannelKey>()
  for (const channel of user.channels.values()) if (isHidden(channel, user)) hiddenIn.add(channel.key)
  const also = [...chat.sessionsOf(user), ...chat.monitors.of(user)]
  for (const [key, value] of changes) {
    const only = (session: Session) =>
      // A connection that changed its own user has had its answer.
      (session !== origin || session.user !== user) &&
      wants(session, key) &&
      session.user !== undefined &&
      mayKnowUser(session.user, user)
    chat.toPeers(user.channels.values(), new KeyTelling(chat, user.nick, key, value), {
      hiddenIn,
      also,
      only,
    })
  }
}

function tellOfChannel(
  chat: Chat,
  channel: Channel,
  changes: readonly KeyChange[],
  origin: Session | undefined,
): void {
  for (const [key, value] of changes) {
    const only = (session: Session) => session !== origin && wants(session, key)
    chat.toPeers([channel], new KeyTelling(chat, channel.name, key, value), { only })
  }
}

function wants(session: Session, key: string): boolean {
  return session.subscriptions.has(key) && readsMetadata(session)
}
