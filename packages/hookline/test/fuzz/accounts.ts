// In-memory accounts, all with the same password.
import { setImmediate } from 'node:timers/promises'
import type { Accounts, Changed, Created, Verdict } from '../../src/chat/accounts.ts'
import type { Chat } from '../../src/chat/chat.ts'
import { findAccount } from '../../src/chat/state.ts'
import { forgetProof } from '../../src/keeping/accounts.ts'

type Slowly = <T>(work: () => T) => Promise<T>

export function pretendAccounts(chat: () => Chat, slowly: Slowly): Accounts {
  const check = (name: string, password: string): Verdict => {
    const account = findAccount(chat().state, name)
    if (account === undefined || password !== 'right') return { ok: false, reason: 'wrong', text: 'wrong' }
    return { ok: true, account: account.name }
  }
  const changed = () => slowly((): Changed => ({ ok: true }))
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
    setPassword: changed,
    setEmail: changed,
    addToken: () => slowly(() => ({ ok: true as const, token: 'right' })),
    removeToken: changed,
    addCertificate: changed,
    removeCertificate: changed,
    show: () => slowly(() => ({ ok: false as const, reason: 'absent', text: 'gone' })),
    async drop(name): Promise<Changed> {
      await slowly(() => {})
      // As the real ones do, after everybody who was answered at the same time has gone on.
      await setImmediate()
      const account = findAccount(chat().state, name)
      if (account === undefined) return { ok: false, reason: 'absent', text: 'gone' }
      forgetProof(chat(), account.key)
      chat().propose({ kind: 'account.dropped', account: account.key })
      return { ok: true }
    },
    suspend: () => slowly(() => ({ ok: true as const, until: null })),
    restore: changed,
  }
}
