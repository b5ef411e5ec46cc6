// Between the accounts on disk and the chat: what became of one becomes so in the other.
import { Accounts } from '../accounts/accounts.ts'
import type { AccountRules } from '../accounts/rules.ts'
import { tellAccount } from '../chat/features/login.ts'
import { refusesAccountName } from '../chat/rules/account.ts'
import type { Chat } from '../chat/spine.ts'
import { type AccountKey, accountKey } from '../irc/names.ts'
import type { Log } from '../log.ts'
import type { Store } from '../store/store.ts'

/** `chat` is asked for when something happens: the chat itself needs the accounts to be made. */
export function openAccounts(
  rules: AccountRules,
  chat: () => Chat,
  { store, log, now, elapsed }: { store: Store; log: Log; now: () => number; elapsed: () => number },
): Accounts {
  return new Accounts({
    store: store.accounts,
    rules,
    now,
    elapsed,
    log,
    refusesName(name) {
      const refusal = refusesAccountName(chat(), name, undefined)
      return refusal?.isReserved ? refusal.text : undefined
    },
    followers: {
      made: ({ name, createdAt, settings }) =>
        chat().propose({ kind: 'account.made', name, createdAt, settings }),
      dropped(key) {
        forgetProof(chat(), key as AccountKey)
        chat().propose({ kind: 'account.dropped', account: key as AccountKey })
      },
      suspended: (key) => shutOut(chat(), key as AccountKey),
    },
  })
}

/** Tells the chat of every account; from then on what people set for theirs is kept. */
export async function keepAccounts(accounts: Accounts, chat: Chat): Promise<void> {
  await accounts.load()
  chat.log.follow(chat.log.next, ({ event }) => {
    if (event.kind !== 'account.changed') return
    const settings = chat.state.accounts.get(event.account)?.settings
    if (settings !== undefined) accounts.saveSettings(event.account, settings)
  })
}

/** Those who use the account go: they may come back as somebody else. */
function shutOut(chat: Chat, key: AccountKey): void {
  forgetProof(chat, key)
  for (const user of Array.from(chat.state.accounts.get(key)?.users ?? [])) {
    const sessions = chat.sessionsOf(user)
    chat.propose({ kind: 'user.account', user: user.key, account: null })
    for (const session of sessions) chat.close(session, 'Your account is suspended')
  }
}

/** Connections that proved the account and are not users yet, so that the state does not know of them, have proved nothing. */
export function forgetProof(chat: Chat, key: AccountKey): void {
  for (const session of chat.sessions.values()) {
    const { user, introduction } = session
    if (user !== undefined || introduction.account === null) continue
    if (accountKey(introduction.account) !== key) continue
    introduction.account = null
    tellAccount(chat, session, null)
  }
}
