// What commands about accounts share: what they are given, and what they print.
import type { WithSuspension } from '../../accounts/accounts.ts'
import type { Changed } from '../../accounts/answers.ts'
import { newSecret } from '../../senders/secret.ts'
import { type Answer, cannot, done, wrong } from '../../control/failure.ts'
import type { AccountRow, TokenRow } from '../../store/accountrows.ts'
import type { OutputOf } from '../shape.ts'
import { shellWord } from '../shellword.ts'

export const NAME = { name: 'name', description: 'the account', required: true } as const
export const PASSWORD = {
  name: 'password',
  type: 'text',
  value: '-',
  clearable: true,
  description: 'read it from standard input; --no-password: log in by token or certificate only',
} as const
export const GENERATE = {
  name: 'generate',
  type: 'flag',
  description: 'generate a password and show it once',
} as const

/** Secrets generated just now; null for those that were not. */
export const MADE = { account: 'text', password: 'text or null', token: 'text or null' } as const

export const ACCOUNT = {
  name: 'text',
  created_at: 'time',
  email: 'text or null',
  /** Whether it has one. */
  password: 'true or false',
  /** Chosen by its owner. */
  settings: 'object',
  /** `expires_at` null: until it is restored. */
  suspended: { orNull: { by: 'text', at: 'time', reason: 'text', expires_at: 'time or null' } },
} as const

export const TOKEN = {
  label: 'text',
  created_at: 'time',
  used_at: 'time or null',
  /** Null: never. */
  expires_at: 'time or null',
} as const

export type AccountView = OutputOf<typeof ACCOUNT>
export type TokenView = OutputOf<typeof TOKEN>

/** The given password, a generated one, or none. */
export function passwordFrom(
  { password, generate = false }: { password?: string | null; generate?: boolean },
  hasToken: boolean,
): Answer<{ password: string | null; isMade: boolean }> {
  if (generate && password !== undefined)
    return wrong('usage', '--generate and --password exclude each other', 'leave one of them out')
  if (generate) return done({ password: newSecret(), isMade: true })
  if (password === undefined && !hasToken)
    return wrong('usage', 'no password was given', 'add --generate, --password - or --no-password')
  return done({ password: password ?? null, isMade: false })
}

/** Mostly the disk is full. */
export const LATER_HINT = 'if that does not help: hookline server status; the server log says more'

export function refused(name: string, { reason, text }: Extract<Changed, { ok: false }>) {
  if (reason === 'later') return cannot('setup', text, LATER_HINT)
  if (reason === 'absent') return wrong('not_found', `${name}: ${text}`, `see: hookline account list`)
  return wrong('refused', text, `see: hookline account show ${shellWord(name)}`)
}

export function viewOf({
  name,
  createdAt,
  email,
  password,
  settings,
  suspension,
}: WithSuspension<AccountRow>): AccountView {
  return {
    name,
    created_at: dateOf(createdAt),
    email,
    password: password !== null,
    settings: JSON.parse(settings) as object,
    suspended: suspension && {
      by: suspension.by,
      at: dateOf(suspension.at),
      reason: suspension.reason,
      expires_at: suspension.until === null ? null : dateOf(suspension.until),
    },
  }
}

export function tokenView({ label, createdAt, usedAt, expiresAt }: TokenRow): TokenView {
  return {
    label,
    created_at: dateOf(createdAt),
    used_at: usedAt === null ? null : dateOf(usedAt),
    expires_at: expiresAt === null ? null : dateOf(expiresAt),
  }
}

export function dateOf(at: number): string {
  return new Date(at).toISOString()
}
