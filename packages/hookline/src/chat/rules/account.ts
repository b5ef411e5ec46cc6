// Which nick is whose, and which names accounts may have.
import { accountKey, nickKey } from '../../irc/names.ts'
import type { Chat } from '../chat.ts'
import { isServiceNick } from '../service.ts'
import { findAccount, findUser, type State, type User } from '../state.ts'
import { lookIn, looksLike } from './lookalike.ts'

export interface NameRefusal {
  readonly isReserved: boolean
  /** Only an admin can make it. */
  readonly isForBots?: boolean
  readonly text: string
}

/**
 * Why `user`, who may not have registered yet, cannot make an account of that name. `isReserved`: nobody can, for it is the name of a
 * bot, a service or the server.
 */
export function refusesAccountName(
  chat: Chat,
  name: string,
  user: User | undefined,
): NameRefusal | undefined {
  const { state } = chat
  if (isServiceNick(name)) return { isReserved: true, text: 'That is the name of a service' }
  if (accountKey(name) === accountKey(chat.settings.name))
    return { isReserved: true, text: 'That is the name of the server' }
  if (findAccount(state, name) !== undefined) return { isReserved: false, text: 'That name is already taken' }
  if (chat.world.isBotName?.(name)) return { isReserved: true, text: 'That is the name of a bot' }
  if (looksLike(chat, name, { user, account: null }) !== undefined)
    return { isReserved: false, text: "That name looks too much like somebody else's" }
  if (isForBots(chat, name, null))
    return { isReserved: false, isForBots: true, text: 'Names like that are kept for bots' }
  const holder = findUser(state, name)
  if (holder === undefined || holder.key === user?.key) return undefined
  return { isReserved: false, text: 'Somebody else uses that nick' }
}

/**
 * Whether only bots have such names: `<server>-<owner>-<name>`. Somebody could take one before its bot exists. Those logged in to the account
 * `<server>-<owner>` may, and so may those whose account has that name, which an admin made.
 */
export function isForBots(
  { settings, world }: Pick<Chat, 'settings' | 'world'>,
  nick: string,
  account: string | null,
): boolean {
  // A nick that only looks like the server's name would look like a bot that is still to come.
  const prefix = `${lookIn(world, settings.name)}-`
  const look = lookIn(world, nick)
  const end = look.indexOf('-', prefix.length + 1)
  if (!look.startsWith(prefix) || end === -1 || end === look.length - 1) return false
  if (account === null) return true
  const own = lookIn(world, account)
  return nickKey(account) !== nickKey(nick) && !(own.length > prefix.length && look.startsWith(`${own}-`))
}

/** Whether the nick is the name of an account other than `account`. */
export function belongsToAnother(state: State, nick: string, account: string | null): boolean {
  const owner = findAccount(state, nick)
  return owner !== undefined && (account === null || accountKey(account) !== owner.key)
}

/** Whether what is kept for its nick may be sent to this user: if the nick is an account's, only to those logged in to it. */
export function answersFor(state: State, user: User): boolean {
  return !belongsToAnother(state, user.nick, user.account)
}

/** Whether this user cannot log in to that account: its other connections would be in one that they never proved. */
export function refusesLogin(user: User | undefined, account: string): boolean {
  return user !== undefined && user.sessions.length > 1 && user.account !== account
}

export const CLOSE_OTHERS = 'Close your other connections first: they have not logged in to that account'

/** For commands that act on whoever has one's own nick or is logged in to one's own account. A bot is never one's own. */
export function isOwn(user: User, target: User): boolean {
  if (user.account === null || target.isVirtual) return false
  const mine = accountKey(user.account)
  return accountKey(target.nick) === mine || (target.account !== null && accountKey(target.account) === mine)
}
