// Accounts and what proves them: passwords only as hashes, tokens only as digests, certificates by their fingerprint.
import type { DatabaseSync } from 'node:sqlite'
import type { AccountChange, AccountRow, CertificateRow, FullAccount, TokenRow } from './accountrows.ts'
import { statements } from './rows.ts'

export interface AccountsTable {
  /** False when the name is taken. */
  readonly create: (account: AccountRow) => boolean
  /** Columns that are not named stay as they are. False when there is no such account, or none that is `still` so. */
  readonly change: (change: AccountChange) => boolean
  /** With its tokens and certificates, and what was kept for its nick. False when there is no such account. */
  readonly drop: (key: string) => boolean
  readonly all: () => readonly AccountRow[]
  readonly get: (key: string) => FullAccount | undefined
  /** False when the account has one of that label, or is not there. */
  readonly addToken: (token: TokenRow & { readonly hash: string }) => boolean
  readonly removeToken: (token: Pick<TokenRow, 'account' | 'label'>) => boolean
  /** By the digest of the token. */
  readonly token: (hash: string) => TokenRow | undefined
  readonly tokenUsed: (token: { readonly hash: string; readonly at: number }) => void
  /** False when an account has it already, or there is no such account. */
  readonly addCertificate: (certificate: CertificateRow) => boolean
  readonly removeCertificate: (certificate: Pick<CertificateRow, 'account' | 'fingerprint'>) => boolean
  readonly certificate: (fingerprint: string) => CertificateRow | undefined
}

export function accountsTable(db: DatabaseSync): AccountsTable {
  const rowsOf = statements(db)
  const columns = 'key, name, created_at AS createdAt, email, password, scram, settings, suspended'
  const insert = db.prepare(`
    INSERT INTO accounts (key, name, created_at, email, password, scram, settings, suspended)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (key) DO NOTHING`)
  const update = db.prepare(`
    UPDATE accounts SET email = ?, password = ?, scram = ?, settings = ?, suspended = ? WHERE key = ?`)
  const remove = db.prepare('DELETE FROM accounts WHERE key = ?')
  const one = rowsOf<AccountRow>(`SELECT ${columns} FROM accounts WHERE key = ?`)
  const every = rowsOf<AccountRow>(`SELECT ${columns} FROM accounts ORDER BY key`)

  const tokenColumns = 'account, label, created_at AS createdAt, used_at AS usedAt, expires_at AS expiresAt'
  const insertToken = db.prepare(`
    INSERT INTO account_tokens (hash, account, label, created_at, used_at, expires_at)
    SELECT ?, key, ?, ?, ?, ? FROM accounts WHERE key = ? ON CONFLICT DO NOTHING`)
  const removeToken = db.prepare('DELETE FROM account_tokens WHERE account = ? AND label = ?')
  const tokenOf = rowsOf<TokenRow>(`SELECT ${tokenColumns} FROM account_tokens WHERE hash = ?`)
  const tokensOf = rowsOf<TokenRow>(
    `SELECT ${tokenColumns} FROM account_tokens WHERE account = ? ORDER BY label`,
  )
  const use = db.prepare('UPDATE account_tokens SET used_at = ? WHERE hash = ?')

  const insertCertificate = db.prepare(`
    INSERT INTO account_certificates (fingerprint, account, added_at)
    SELECT ?, key, ? FROM accounts WHERE key = ? ON CONFLICT (fingerprint) DO NOTHING`)
  const removeCertificate = db.prepare(
    'DELETE FROM account_certificates WHERE account = ? AND fingerprint = ?',
  )
  const certificateColumns = 'account, fingerprint, added_at AS addedAt'
  const certificateOf = rowsOf<CertificateRow>(`
    SELECT ${certificateColumns} FROM account_certificates WHERE fingerprint = ?`)
  const certificatesOf = rowsOf<CertificateRow>(`
    SELECT ${certificateColumns} FROM account_certificates WHERE account = ? ORDER BY added_at`)
  const dropTokens = db.prepare('DELETE FROM account_tokens WHERE account = ?')
  const dropCertificates = db.prepare('DELETE FROM account_certificates WHERE account = ?')
  const dropKept = db.prepare('DELETE FROM kept WHERE nick = ?')
  const dropKeptCount = db.prepare('DELETE FROM kept_dropped WHERE nick = ?')

  const get = (key: string): FullAccount | undefined => {
    const row = one.get(key)
    return row && { ...row, tokens: tokensOf.all(key), certificates: certificatesOf.all(key) }
  }
  return {
    get,
    all: () => every.all(),
    create: ({ key, name, createdAt, email, password, scram, settings, suspended }) =>
      insert.run(key, name, createdAt, email, password, scram, settings, suspended).changes === 1,
    change: ({ key, still = {}, ...changes }) => {
      const row = one.get(key)
      if (row === undefined || !isStill(row, still)) return false
      const { email, password, scram, settings, suspended } = { ...row, ...changes }
      return update.run(email, password, scram, settings, suspended, key).changes === 1
    },
    drop: (key) => {
      dropTokens.run(key)
      dropCertificates.run(key)
      if (remove.run(key).changes === 0) return false
      // Kept messages were for its owner alone, and anybody may take the nick now.
      dropKept.run(key)
      dropKeptCount.run(key)
      return true
    },
    addToken: ({ hash, account, label, createdAt, usedAt, expiresAt }) =>
      insertToken.run(hash, label, createdAt, usedAt, expiresAt, account).changes === 1,
    removeToken: ({ account, label }) => removeToken.run(account, label).changes === 1,
    token: (hash) => tokenOf.get(hash),
    tokenUsed: ({ hash, at }) => void use.run(at, hash),
    addCertificate: ({ account, fingerprint, addedAt }) =>
      insertCertificate.run(fingerprint, addedAt, account).changes === 1,
    removeCertificate: ({ account, fingerprint }) =>
      removeCertificate.run(account, fingerprint).changes === 1,
    certificate: (fingerprint) => certificateOf.get(fingerprint),
  }
}

function isStill(row: AccountRow, values: Partial<AccountRow>): boolean {
  return Object.entries(values).every(([column, value]) => row[column as keyof AccountRow] === value)
}
