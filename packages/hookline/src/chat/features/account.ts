// Accounts: which there are, what their owners chose, and who is logged in to which.
// https://ircv3.net/specs/extensions/account-notify
import { CAPS } from '../../irc/caps.ts'
import { type AccountKey, accountKey, type ChannelKey } from '../../irc/names.ts'
import { effect } from '../command.ts'
import { type Account, type AccountSettings, enterAccount, mustGet, type UserKey } from '../state.ts'
import { forgetAccess, giveRanks, orphan } from './channelregistration.ts'
import { tellAccount } from './login.ts'
import { forgetMarkers } from './markread.ts'
import { carryMetadata, tellDropped } from './metadatachange.ts'
import { requireAccount } from './registration.ts'
import { turnAwayIfBanned } from './serverban.ts'
import { quitIfStranded } from './sessions.ts'

/** Also proposed at start, for each existing account. */
export type AccountMade = {
  kind: 'account.made'
  name: string
  createdAt: number
  settings: AccountSettings
}

/** Settings that are not named stay as they are. */
export type AccountChanged = { kind: 'account.changed'; account: AccountKey; settings: AccountSettings }

/** Logs out whoever is logged in to it. */
export type AccountDropped = { kind: 'account.dropped'; account: AccountKey }

/** The account as it was, and the channels that had it on their access lists. */
export interface Dropped {
  readonly dropped: Account
  readonly knownIn: readonly ChannelKey[]
}

/** `account` null: logged out. */
export type LoggedIn = { kind: 'user.account'; user: UserKey; account: string | null }

export const accountMade = effect<AccountMade>({
  apply(state, { name, createdAt, settings }) {
    const key = accountKey(name)
    state.accounts.set(key, { key, name, createdAt, settings, metadata: new Map(), users: new Set() })
  },
  announce() {
    // Whoever made it is told by the command.
  },
})

export const accountChanged = effect<AccountChanged>({
  apply(state, { account: key, settings }) {
    const account = mustGet(state.accounts, key)
    account.settings = { ...account.settings, ...settings }
  },
  announce(chat, { account }) {
    // Whoever asked for it is told by the command. A user without a connection may have no reason to stay any more.
    for (const user of mustGet(chat.state.accounts, account).users) quitIfStranded(chat, user)
  },
})

export const accountDropped = effect<AccountDropped, Dropped>({
  apply(state, { account }) {
    const dropped = mustGet(state.accounts, account)
    state.accounts.delete(account)
    forgetMarkers(state, `@${account}`)
    return { dropped, knownIn: forgetAccess(state, account) }
  },
  announce(chat, { account }, { dropped }) {
    orphan(chat, account)
    tellDropped(chat, dropped)
    for (const { key } of dropped.users) chat.propose({ kind: 'user.account', user: key, account: null })
  },
})

/** Returns the account that it was before. */
export const loggedIn = effect<LoggedIn, string | null>({
  apply(state, { user: key, account }) {
    const user = mustGet(state.users, key)
    const was = user.account
    enterAccount(state, user, account)
    return was
  },
  announce(chat, { user: key, account }, was, entry) {
    const user = mustGet(chat.state.users, key)
    for (const session of chat.sessionsOf(user)) tellAccount(chat, session, account)
    quitIfStranded(chat, user)
    giveRanks(chat, user)
    carryMetadata(chat, user, was)
    // "including themselves"
    const line = chat.lineOf(user, entry, 'ACCOUNT', [account ?? '*'])
    const cap = CAPS['account-notify']
    chat.toUser(user, line, cap)
    chat.toPeers(user.channels.values(), line, { except: user, cap, also: chat.followers(user) })
    // Some may be here only because they were logged in.
    if (account !== null) return
    for (const session of chat.sessionsOf(user)) {
      if (chat.settings.accounts.isRequired) requireAccount(chat, session)
      else turnAwayIfBanned(chat, session)
    }
  },
})
