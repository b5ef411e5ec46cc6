// Accounts and what proves them: passwords only as hashes, tokens only as digests, certificates by their fingerprint.
import type { DatabaseSync } from 'node:sqlite'
import type { AccountRow, CertificateRow, TokenRow } from './accountrows.ts'
import type { Reads, Table, Writes } from './operations.ts'
import { statements } from './rows.ts'

/** What each operation on accounts does. */
export function accountsTable(db: DatabaseSync) {
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
  const removeExpired = db.prepare(
    'DELETE FROM account_tokens WHERE account = ? AND label = ? AND expires_at <= ?',
  )
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

  const writes = {
    'account.create': ({ key, name, createdAt, email, password, scram, settings, suspended }) =>
      insert.run(key, name, createdAt, email, password, scram, settings, suspended).changes === 1,
    'account.change': ({ key, still = {}, ...changes }) => {
      const row = one.get(key)
      if (row === undefined || !isStill(row, still)) return false
      const { email, password, scram, settings, suspended } = { ...row, ...changes }
      return update.run(email, password, scram, settings, suspended, key).changes === 1
    },
    'account.drop': (key) => {
      dropTokens.run(key)
      dropCertificates.run(key)
      if (remove.run(key).changes === 0) return false
      // Kept messages were for its owner alone, and anybody may take the nick now.
      dropKept.run(key)
      dropKeptCount.run(key)
      return true
    },
    'token.add': ({ token, endedBy }) => {
      const { hash, account, label, createdAt, usedAt, expiresAt } = token
      removeExpired.run(account, label, endedBy)
      return insertToken.run(hash, label, createdAt, usedAt, expiresAt, account).changes === 1
    },
    'token.remove': ({ account, label }) => removeToken.run(account, label).changes === 1,
    'token.used': ({ hash, at }) => void use.run(at, hash),
    'certificate.add': ({ account, fingerprint, addedAt }) =>
      insertCertificate.run(fingerprint, addedAt, account).changes === 1,
    'certificate.remove': ({ account, fingerprint }) =>
      removeCertificate.run(account, fingerprint).changes === 1,
  } satisfies Partial<Table<Writes>>
  const reads = {
    accounts: () => every.all(),
    account: (key) => {
      const row = one.get(key)
      return row && { ...row, tokens: tokensOf.all(key), certificates: certificatesOf.all(key) }
    },
    token: (hash) => tokenOf.get(hash),
    certificate: (fingerprint) => certificateOf.get(fingerprint),
  } satisfies Partial<Table<Reads>>
  return { writes, reads }
}

function isStill(row: AccountRow, values: Partial<AccountRow>): boolean {
  return Object.entries(values).every(([column, value]) => row[column as keyof AccountRow] === value)
}
