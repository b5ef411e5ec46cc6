// Accounts, as the rooms above ask for them.
import type { AccountChange, AccountRow, CertificateRow, FullAccount, TokenRow } from './accountrows.ts'
import type { JobQueue } from './queue.ts'

/** Promises resolve after COMMIT, and reject with a `StoreFailure`. Accounts are named by their folded names. */
export interface AccountStore {
  all(): Promise<readonly AccountRow[]>
  get(key: string): Promise<FullAccount | undefined>
  /** False when the name is taken, even by a simultaneous request. */
  create(account: AccountRow): Promise<boolean>
  /** What is not named stays as it is. False when there is no such account, or none that is `still` so. */
  change(change: AccountChange): Promise<boolean>
  /** With its tokens and certificates, and what was kept for its nick. False when there is no such account. */
  drop(key: string): Promise<boolean>
  /** False when the account has one of that label, or is not there. */
  addToken(token: TokenRow & { readonly hash: string }): Promise<boolean>
  removeToken(account: string, label: string): Promise<boolean>
  /** By the digest of the token. */
  token(hash: string): Promise<TokenRow | undefined>
  tokenUsed(hash: string, at: number): Promise<void>
  /** False when an account has it already, or there is no such account. */
  addCertificate(certificate: CertificateRow): Promise<boolean>
  removeCertificate(account: string, fingerprint: string): Promise<boolean>
  certificate(fingerprint: string): Promise<CertificateRow | undefined>
}

/** `trusted`: a token that has expired only by a clock that leapt works again once that is right. */
export function accountStore(queue: JobQueue, trusted: () => number): AccountStore {
  return {
    all: () => queue.read('accounts', undefined),
    get: (key) => queue.read('account', key),
    create: (account) => queue.write('account.create', account),
    change: (change) => queue.write('account.change', change),
    drop: (key) => queue.write('account.drop', key),
    addToken: (token) => queue.write('token.add', { token, endedBy: Math.min(token.createdAt, trusted()) }),
    removeToken: (account, label) => queue.write('token.remove', { account, label }),
    token: (hash) => queue.read('token', hash),
    tokenUsed: (hash, at) => queue.write('token.used', { hash, at }),
    addCertificate: (certificate) => queue.write('certificate.add', certificate),
    removeCertificate: (account, fingerprint) => queue.write('certificate.remove', { account, fingerprint }),
    certificate: (fingerprint) => queue.read('certificate', fingerprint),
  }
}
