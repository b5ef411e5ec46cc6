// Accounts: which there are, what their owners chose, and who is logged in to which.
// https://ircv3.net/specs/extensions/account-notify
import { CAPS } from '../../irc/caps.ts'
import { type AccountKey, accountKey, type ChannelKey } from '../../irc/names.ts'
import { effect } from '../command.ts'
import type { AccountChanged, AccountDropped, AccountMade, LoggedIn } from '../events.ts'
import { type Account, enterAccount, mustGet, type WritableState } from '../state.ts'
import { endExceptions, forgetAccess, giveRanks, orphan } from './chanserv/channelregistration.ts'
import { tellAccount } from './login.ts'
import { forgetMarkers } from './history/markread.ts'
import { carryMetadata, tellDropped } from './metadata/metadatachange.ts'
import { requireAccount } from './registration.ts'
import { turnAwayIfBanned } from './serverban.ts'
import { quitIfStranded } from './sessions.ts'

/** The channels that had an account of that name on their access lists. */
export interface Forgotten {
  readonly knownIn: readonly ChannelKey[]
}

/** Also the account as it was. */
export interface Dropped extends Forgotten {
  readonly dropped: Account
}

export const accountMade = effect<AccountMade, Forgotten>({
  apply(state, { name, createdAt, settings }) {
    const key = accountKey(name)
    state.accounts.set(key, { key, name, createdAt, settings, metadata: new Map(), users: new Set() })
    return forget(state, key)
  },
  announce(chat, { name }) {
    // Whoever made it is told by the command.
    orphan(chat, accountKey(name))
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
    return { dropped, ...forget(state, account) }
  },
  announce(chat, { account }, { dropped }) {
    orphan(chat, account)
    endExceptions(chat, account)
    tellDropped(chat, dropped)
    for (const { key } of dropped.users) chat.propose({ kind: 'user.account', user: key, account: null })
  },
})

/**
 * For `apply`, at both ends of an account: it ends on disk before what was its own does, and if the server stops in between, that comes
 * back and waits for the next of that name.
 */
function forget(state: WritableState, account: AccountKey): Forgotten {
  forgetMarkers(state, `@${account}`)
  return { knownIn: forgetAccess(state, account) }
}

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
