// Accounts: that they are there, what their owners chose, and who is logged in to which.
// https://ircv3.net/specs/extensions/account-notify
import { CAP } from '../../irc/caps.ts'
import { type AccountKey, accountKey } from '../../irc/names.ts'
import { happening } from '../command.ts'
import { type AccountSettings, mustGet, type UserKey } from '../state.ts'

/** Also told at start, of each account that there is. */
export type AccountMade = {
  kind: 'account.made'
  name: string
  createdAt: number
  settings: AccountSettings
}

/** Settings that are not named stay as they are. */
export type AccountChanged = { kind: 'account.changed'; account: AccountKey; settings: AccountSettings }

/** Whoever is logged in to it is logged out by it. */
export type AccountDropped = { kind: 'account.dropped'; account: AccountKey }

/** `account` null: logged out. */
export type LoggedIn = { kind: 'user.account'; user: UserKey; account: string | null }

export const accountMade = happening<AccountMade>({
  apply(state, { name, createdAt, settings }) {
    const key = accountKey(name)
    state.accounts.set(key, { key, name, createdAt, settings })
  },
  announce() {
    // Whoever made it hears it from the command.
  },
})

export const accountChanged = happening<AccountChanged>({
  apply(state, { account: key, settings }) {
    const account = mustGet(state.accounts, key)
    account.settings = { ...account.settings, ...settings }
  },
  announce() {
    // Whoever asked for it hears it from the command.
  },
})

export const accountDropped = happening<AccountDropped>({
  apply(state, { account }) {
    state.accounts.delete(account)
  },
  announce(chat, { account }) {
    for (const user of chat.state.users.values()) {
      if (user.account === null || accountKey(user.account) !== account) continue
      chat.propose({ kind: 'user.account', user: user.key, account: null })
    }
  },
})

export const loggedIn = happening<LoggedIn>({
  apply(state, { user, account }) {
    mustGet(state.users, user).account = account
  },
  announce(chat, { user: key, account }, _, entry) {
    const user = mustGet(chat.state.users, key)
    const line = chat.lineOf(user, entry, 'ACCOUNT', [account ?? '*'])
    chat.toPeers(user.channels.values(), line, {
      except: user,
      cap: CAP['account-notify'],
      also: chat.followers(user),
    })
  },
})
