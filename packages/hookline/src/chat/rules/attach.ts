// Which connections share one user, and which users stay when their last connection closes.
import type { ChatSettings } from '../settings.ts'
import { type Account, accountOf, type State, type User } from '../state.ts'

type Presence = Pick<ChatSettings, 'presence'>

/**
 * The user that a connection logged in to `account` joins: the holder of the nick that it wants, else the one that stays for this
 * account, whatever nick was wanted. Undefined: it becomes a user of its own.
 */
export function userToJoin(
  settings: Presence,
  state: State,
  account: string | null,
  holder: User | undefined,
): User | undefined {
  const owned = accountOf(state, { account })
  if (owned === undefined) return undefined
  const wanted = holder !== undefined && owned.users.has(holder) ? holder : undefined
  const user = wanted ?? [...owned.users].find((each) => staysFor(settings, owned, each))
  if (user === undefined) return undefined
  return user.sessions.length === 0 || allowsMore(settings, owned) ? user : undefined
}

function allowsMore({ presence }: Presence, { settings }: Account): boolean {
  return settings.multiclient ?? presence.multiclient
}

/** Whether `user` stays when its last connection closes: of an account's users only the one that has been here longest does. */
export function stays(settings: Presence, state: State, user: User): boolean {
  const account = accountOf(state, user)
  return account !== undefined && staysFor(settings, account, user)
}

function staysFor({ presence }: Presence, account: Account, user: User): boolean {
  const [longest] = account.users
  return longest?.key === user.key && isAlwaysOn(presence.alwaysOn, account.settings.alwaysOn)
}

/** From what the server offers and what the account's owner chose. */
function isAlwaysOn(offered: ChatSettings['presence']['alwaysOn'], chosen: boolean | undefined): boolean {
  switch (offered) {
    case 'disabled':
      return false
    case 'opt_in':
      return chosen ?? false
    case 'opt_out':
      return chosen ?? true
    case 'mandatory':
      return true
  }
}

/** The server's setting, if it leaves no choice; else undefined. */
export function alwaysOnForAll({ presence }: Presence): boolean | undefined {
  if (presence.alwaysOn === 'mandatory') return true
  return presence.alwaysOn === 'disabled' ? false : undefined
}
