// Registered channels: their founders and access lists, and how they are restored when the server starts.
import type { ModeChange, Rank } from '../../../irc/modes.ts'
import type { AccountKey, ChannelKey } from '../../../irc/names.ts'
import type { Chat } from '../../chat.ts'
import { effect } from '../../command.ts'
import type { AccessChanged, ChannelRegistered, ChannelRestored, ChannelUnregistered } from '../../events.ts'
import { accountIn } from '../../rules/ban.ts'
import { registeredRank } from '../../rules/join.ts'
import {
  type Channel,
  mustGet,
  type User,
  type WritableChannel,
  type WritableRegistration,
  type WritableState,
} from '../../state.ts'
import { newChannel } from '../join.ts'
import { endIfEmpty } from '../part.ts'

export const channelRegistered = effect<ChannelRegistered, AccountKey | undefined>({
  apply(state, { channel: key, founder }, { at }) {
    const channel = mustGet(state.channels, key)
    const former = channel.registration?.founder
    const access = new Map(channel.registration?.access)
    access.delete(founder)
    channel.registration = { founder, at, access }
    return former
  },
  announce(chat, { channel: key, founder }, former) {
    const channel = mustGet(chat.state.channels, key)
    for (const user of usersOf(chat, founder)) changeRank(chat, channel, user, '+', 'q')
    if (former === undefined || former === founder) return
    for (const user of usersOf(chat, former)) {
      changeRank(chat, channel, user, '+', 'o')
      changeRank(chat, channel, user, '-', 'q')
    }
  },
})

export const channelUnregistered = effect<ChannelUnregistered>({
  apply(state, { channel: key }) {
    const channel = mustGet(state.channels, key)
    channel.registration = undefined
    endIfEmpty(state, channel)
  },
  announce() {
    // Those inside keep their ranks until they leave.
  },
})

export const accessChanged = effect<AccessChanged, Rank | undefined>({
  apply(state, { channel, account, rank }) {
    const { access } = registrationOf(state, channel)
    const was = access.get(account)
    if (rank === undefined) access.delete(account)
    else access.set(account, rank)
    return was
  },
  announce(chat, { channel: key, account, rank }, was) {
    const channel = mustGet(chat.state.channels, key)
    for (const user of usersOf(chat, account)) {
      if (was !== undefined && was !== rank) changeRank(chat, channel, user, '-', was)
      if (rank !== undefined) changeRank(chat, channel, user, '+', rank)
    }
  },
})

export const channelRestored = effect<ChannelRestored>({
  apply(state, { channel: key, record }, { at }) {
    const { flags, metadata, registration, createdAt, ...rest } = record
    const channel = {
      ...newChannel({ channel: key, name: record.name, flags }, createdAt),
      ...rest,
      // Older records have none.
      metadata: new Map(Object.entries((metadata as typeof metadata | undefined) ?? {})),
      lists: { b: [...rest.lists.b], e: [...rest.lists.e], I: [...rest.lists.I] },
      registration: registration && { ...registration, access: new Map(registration.access) },
    }
    state.channels.set(key, channel)
    // One from a time when the clock was far ahead does not take the later ones along.
    if (createdAt < at + DAY_MS) state.newestChannelAt = Math.max(state.newestChannelAt, createdAt)
    redirectFormerNames(state, channel)
  },
  announce() {
    // Nobody is there to hear it.
  },
})

const DAY_MS = 86_400_000

/** For `apply`: its former names lead to it again, unless another channel had one of them later, or has it now. */
function redirectFormerNames(state: WritableState, channel: WritableChannel): void {
  state.renamed.delete(channel.key)
  for (const name of channel.formerNames) {
    const other = state.renamed.get(name)?.renamedAt ?? -Infinity
    if (!state.channels.has(name) && (channel.renamedAt ?? 0) > other) state.renamed.set(name, channel)
  }
}

/** Gives a user who logs in the ranks that its channels have for the account. */
export function giveRanks(chat: Chat, user: User): void {
  for (const channel of user.channels.values()) {
    const rank = registeredRank(channel, user)
    if (rank !== undefined) changeRank(chat, channel, user, '+', rank)
  }
}

/** For `apply`: takes an account off all access lists. Returns the channels that had it. */
export function forgetAccess(state: WritableState, account: AccountKey): ChannelKey[] {
  return [...state.channels.values()].flatMap(({ key, registration }) =>
    registration?.access.delete(account) ? [key] : [],
  )
}

/** The channels of an earlier account become unregistered. */
export function orphan(chat: Chat, account: AccountKey): void {
  for (const { key, registration } of chat.state.channels.values()) {
    if (registration?.founder === account) chat.propose({ kind: 'channel.unregistered', channel: key })
  }
}

/** Ends what lets an earlier account past bans and +i: the next of that name is somebody else. */
export function endExceptions(chat: Chat, account: AccountKey): void {
  for (const { key, lists } of chat.state.channels.values()) {
    const changes = (['e', 'I'] as const).flatMap((mode) =>
      lists[mode]
        .filter(({ mask }) => accountIn(mask) === account)
        .map(({ mask }) => ({ sign: '-', mode, param: mask }) as const),
    )
    if (changes.length > 0) chat.propose({ kind: 'channel.modes', channel: key, by: undefined, changes })
  }
}

function usersOf({ state }: Chat, account: AccountKey): Iterable<User> {
  return state.accounts.get(account)?.users ?? []
}

function changeRank(chat: Chat, channel: Channel, user: User, sign: '+' | '-', mode: Rank): void {
  const member = channel.members.get(user.key)
  if (member === undefined || member.ranks.includes(mode) === (sign === '+')) return
  const change: ModeChange<Rank> = { sign, mode, param: user.nick }
  const changes = [{ ...change, user: user.key }]
  chat.propose({ kind: 'channel.modes', channel: channel.key, by: undefined, changes })
}

function registrationOf(state: WritableState, channel: ChannelKey): WritableRegistration {
  const { registration } = mustGet(state.channels, channel)
  if (registration === undefined) throw new Error(`the log speaks of ${channel} as registered, and it is not`)
  return registration
}
