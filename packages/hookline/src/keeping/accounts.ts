// Connects stored accounts with the chat: changes of one are applied to the other.
import { Accounts, type AccountsOptions } from '../accounts/accounts.ts'
import type { AccountRules } from '../accounts/validity.ts'
import type { Chat } from '../chat/chat.ts'
import { tellAccount } from '../chat/features/login.ts'
import { refusesAccountName } from '../chat/rules/account.ts'
import { type AccountKey, accountKey } from '../irc/names.ts'
import type { Store } from '../store/store.ts'

/** `chat` is a function, as the chat itself needs the accounts to be created. */
export function openAccounts(
  rules: AccountRules,
  chat: () => Chat,
  { store, ...rest }: { store: Store } & Pick<AccountsOptions, 'log' | 'now' | 'chatTime' | 'elapsed'>,
): Accounts {
  return new Accounts({
    ...rest,
    store: store.accounts,
    places: store.records,
    rules,
    refusesName(name) {
      const refusal = refusesAccountName(chat(), name, undefined)
      return refusal?.isReserved ? refusal.text : undefined
    },
    followers: {
      made: ({ name, createdAt, settings }) =>
        chat().propose({ kind: 'account.made', name, createdAt, settings }),
      dropped(key) {
        forgetProof(chat(), key)
        chat().propose({ kind: 'account.dropped', account: key })
      },
      suspended: (key) => shutOut(chat(), key),
      revoked: (key, label) => endLogins(chat(), key, label),
    },
  })
}

/** Loads every account into the chat; from then on saves what users set for theirs. */
export async function keepAccounts(accounts: Accounts, chat: Chat): Promise<void> {
  await accounts.load()
  chat.log.follow(chat.log.next, ({ event }) => {
    if (event.kind !== 'account.changed') return
    const settings = chat.state.accounts.get(event.account)?.settings
    if (settings !== undefined) accounts.saveSettings(event.account, settings)
  })
}

/** An account is suspended on disk first: if the server fell before its users had left, those who stay came back. */
export async function endSuspended(accounts: Accounts, chat: Chat): Promise<void> {
  const listed = await accounts.list()
  if (!listed.ok) return
  for (const { key, suspension } of listed.accounts) if (suspension !== null) shutOut(chat, key as AccountKey)
}

/** Disconnects the account's users: they may come back as somebody else. */
function shutOut(chat: Chat, key: AccountKey): void {
  forgetProof(chat, key)
  for (const user of Array.from(chat.state.accounts.get(key)?.users ?? [])) {
    for (const session of chat.sessionsOf(user)) tellAccount(chat, session, null)
    chat.end(user, 'Your account is suspended')
  }
}

/** Closes the connections that logged in to the account with that token, and no others of their users. */
function endLogins(chat: Chat, key: AccountKey, token: string): void {
  for (const session of Array.from(chat.sessions.values())) {
    const account = session.user === undefined ? session.introduction.account : session.user.account
    if (session.token === token && account !== null && accountKey(account) === key)
      chat.close(session, 'The token that you logged in with has been revoked')
  }
}

/** Connections that proved the account but are not users yet, and so not in the state, lose that proof. */
export function forgetProof(chat: Chat, key: AccountKey): void {
  for (const session of chat.sessions.values()) {
    const { user, introduction } = session
    if (user !== undefined || introduction.account === null) continue
    if (accountKey(introduction.account) !== key) continue
    introduction.account = null
    tellAccount(chat, session, null)
  }
}
