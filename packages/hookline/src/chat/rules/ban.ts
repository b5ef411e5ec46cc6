// Who matches the entries of a channel's lists.
// EXTBAN=,am: `m:<mask>` mutes and does not keep out, `a:<account>` matches those logged in to it; combined, `m:a:<account>`.
// https://ircv3.net/specs/extensions/account-extban
import { addressBits, networkBits } from '../../irc/address.ts'
import type { ListMode } from '../../irc/modes.ts'
import {
  type AccountKey,
  accountKey,
  completeMask,
  fold,
  matchesMask,
  splitUserhost,
} from '../../irc/names.ts'
import { type Channel, type ListEntry, maskOf, type User } from '../state.ts'

type Matched = Pick<User, 'nick' | 'username' | 'host' | 'addressHost' | 'account'>

const MUTE = 'm:'
/** Both names in ACCOUNTEXTBAN. */
const ACCOUNT = /^a(?:ccount)?:/i

/** How an entry is written, for HELP. */
export const ENTRY_TEXTS: readonly string[] = [
  'nick!user@host: whoever matches it; * stands for any characters, ? for one. What is missing is *: bob is bob!*@*, @host is *!*@host',
  '*!*@192.0.2.0/24, or 192.0.2.0/24: whoever has an address in that network; IPv6 alike',
  'a:<account>, or account:<account>: whoever is logged in to that account, under any nick',
  'm:<mask>: in b, whoever matches is muted, but may join; in e, they are not muted',
  'm:a:<account>: whoever is logged in to that account is muted, as in MODE #tea +b m:a:bob',
]

export function isListed(channel: Channel, list: ListMode, user: User): boolean {
  return channel.lists[list].some(({ mask }) => matches(mask, user))
}

export function isBanned(channel: Channel, user: User): boolean {
  return isListed(channel, 'b', user) && !isListed(channel, 'e', user)
}

export function isMuted(channel: Channel, user: User): boolean {
  const { b, e } = channel.lists
  if (!b.some(({ mask }) => mutes(mask, user))) return false
  return !e.some(({ mask }) => mutes(mask, user)) && !isListed(channel, 'e', user)
}

/** The same for somebody who is not here, for whom a user speaks. */
export function isMaskMuted({ lists: { b, e } }: Channel, mask: string): boolean {
  const [, nick = '', username = '', host = ''] = /^([^!]*)!(.*)@([^@]*)$/.exec(mask) ?? []
  const silences = (entry: ListEntry) => mutes(entry.mask, { nick, username, host, account: null })
  return b.some(silences) && !e.some(silences)
}

/**
 * The full entry for what somebody typed: `bob` is `bob!*@*`, `m:bob` is `m:bob!*@*`, `192.0.2.0/24` is `*!*@192.0.2.0/24`; an account
 * stays as it is.
 */
export function completeEntry(param: string): string {
  const mute = isMute(param) ? MUTE : ''
  const rest = param.slice(mute.length)
  if (ACCOUNT.test(rest)) return mute + rest
  return mute + completeMask(networkBits(rest) === undefined ? rest : `@${rest}`)
}

/** The account that an entry is about; undefined for other entries. */
export function accountIn(entry: string): AccountKey | undefined {
  const rest = withoutMute(entry)
  const prefix = ACCOUNT.exec(rest)?.[0]
  return prefix === undefined ? undefined : accountKey(rest.slice(prefix.length))
}

/** Whether a full entry is in another server's syntax, such as `$~a` or `~q:ann`. It matches nobody, as no nick contains a colon or begins with `$`. */
export function isForeign(list: ListMode, entry: string): boolean {
  const rest = list === 'I' ? entry : withoutMute(entry)
  const { nick } = splitUserhost(rest)
  return !ACCOUNT.test(rest) && (nick.startsWith('$') || nick.includes(':'))
}

function withoutMute(entry: string): string {
  return isMute(entry) ? entry.slice(MUTE.length) : entry
}

function isMute(entry: string): boolean {
  return entry.startsWith(MUTE) || entry.startsWith('M:')
}

function mutes(entry: string, user: Matched): boolean {
  return isMute(entry) && matches(entry.slice(MUTE.length), user)
}

function matches(entry: string, user: Matched): boolean {
  const account = ACCOUNT.exec(entry)?.[0]
  if (account === undefined)
    return matchesHost(entry, user, user.host) || matchesHost(entry, user, user.addressHost)
  return user.account !== null && matchesMask(fold(entry.slice(account.length)), fold(user.account))
}

/** Also asked with the host that the user's address gives: a ban of it still applies once the user has an account's host. */
function matchesHost(entry: string, { nick, username }: Matched, host: string | undefined): boolean {
  if (host === undefined) return false
  if (matchesMask(fold(entry), fold(maskOf({ nick, username, host })))) return true
  const at = entry.lastIndexOf('@')
  return (
    isWithin(entry.slice(at + 1), host) && matchesMask(fold(entry.slice(0, at)), fold(`${nick}!${username}`))
  )
}

/** Whether this is a network, such as `192.0.2.0/24`, that contains the address, or the address in another of IPv6's forms. */
function isWithin(network: string, address: string): boolean {
  const bits = /[/:]/.test(network) ? networkBits(network) : undefined
  return bits !== undefined && addressBits(address)?.startsWith(bits) === true
}
