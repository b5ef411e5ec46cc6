// Who may own a channel, and who decides about it.
import type { Rank } from '../../irc/modes.ts'
import { type AccountKey, accountKey } from '../../irc/names.ts'
import type { ChatSettings } from '../settings.ts'
import { type Account, type Channel, membership, type State, type User } from '../state.ts'
import { registeredRank } from './join.ts'
import { mayUse } from './oper.ts'
import { gives, hasRank } from './rank.ts'

type Registration = Pick<ChatSettings, 'registration'>

/** Why `user` cannot register `channel`; undefined if it can. */
export function refusesRegistration(
  settings: Registration,
  state: State,
  channel: Channel,
  user: User,
): string | undefined {
  if (channel.registration !== undefined) return `${channel.name} is already registered`
  if (mayUse(user, 'channels')) return undefined
  if (!settings.registration.isOpen) return 'Only server operators can register channels here'
  if (!hasRank(channel, user, 'o')) return `Only an operator of ${channel.name} can register it`
  if (user.account !== null && hasMost(settings, state, accountKey(user.account))) {
    const most = settings.registration.channelsPerAccount
    return `An account can have at most ${most} channel${most === 1 ? '' : 's'}: unregister one of those that /msg NickServ INFO lists`
  }
  return undefined
}

/** Why `user` cannot transfer a channel to that account; undefined if it can. Nobody is made a founder without their knowledge. */
export function refusesTransfer(
  settings: Registration,
  state: State,
  channel: Channel,
  { account: { key, name, users }, user }: { account: Account; user: User },
): string | undefined {
  if (mayUse(user, 'channels')) return undefined
  if (!Array.from(users).some((each) => membership(channel, each) !== undefined))
    return `${name} is not in ${channel.name}: whoever gets a channel must be in it, logged in`
  return hasMost(settings, state, key) ? `${name} already has the maximum number of channels` : undefined
}

/** Whether it has as many channels as an account may. */
function hasMost(settings: Registration, state: State, account: AccountKey): boolean {
  let owned = 0
  for (const { registration } of state.channels.values()) if (registration?.founder === account) owned++
  return owned >= settings.registration.channelsPerAccount
}

/** Only the founder may transfer or unregister it, whoever else has `q` in it. */
export function isFounder({ registration }: Channel, user: User): boolean {
  const isIts = user.account !== null && registration?.founder === accountKey(user.account)
  return isIts || mayUse(user, 'channels')
}

/** The access list is kept by the founder and by those with `a` or `q`, who change entries below their own rank. */
export function mayGrant(channel: Channel, user: User, ranks: readonly (Rank | undefined)[]): boolean {
  if (isFounder(channel, user)) return true
  const own = registeredRank(channel, user)
  if (own !== 'q' && own !== 'a') return false
  return !ranks.some((rank) => rank === 'q' || rank === own)
}

/** Whether its rank on the access list lets `user` give and take these, whichever rank it has in the channel now. */
export function mayGiveAsListed(channel: Channel, user: User, ranks: readonly Rank[]): boolean {
  if (mayUse(user, 'channels')) return true
  const own = registeredRank(channel, user)
  return own !== undefined && ranks.every((rank) => gives([own], rank))
}
