// Accounts in memory, whose password is always the same one.
import type { Accounts, Created, Verdict } from '../../src/chat/accounts.ts'
import type { Chat } from '../../src/chat/spine.ts'
import { findAccount } from '../../src/chat/state.ts'

type Slowly = <T>(work: () => T) => Promise<T>

export function pretendAccounts(chat: () => Chat, slowly: Slowly): Accounts {
  const check = (name: string, password: string): Verdict => {
    const account = findAccount(chat().state, name)
    if (account === undefined || password !== 'right') return { ok: false, reason: 'wrong', text: 'wrong' }
    return { ok: true, account: account.name }
  }
  return {
    check: (name, password) => slowly(() => check(name, password)),
    exchange: () => ({
      step: (message) =>
        slowly(() => {
          const [, name = '', password = ''] = new TextDecoder().decode(message).split('\0')
          return { kind: 'settled', verdict: check(name, password) }
        }),
    }),
    create: ({ name }) =>
      slowly((): Created => {
        if (findAccount(chat().state, name) !== undefined)
          return { ok: false, reason: 'exists', text: 'that is somebody else' }
        chat().propose({ kind: 'account.made', name, createdAt: 0, settings: {} })
        return { ok: true, account: name }
      }),
  }
}
