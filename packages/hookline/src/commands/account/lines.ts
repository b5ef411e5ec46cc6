// Formats accounts for the terminal.
import type {
  AccountDetails,
  AccountMade,
  AccountView,
  TokenMade,
  TokenView,
} from '../../control/outputs/account.ts'
import { fields, table } from '../table.ts'
import { inert, print, remark } from '../terminal.ts'

export function accountTable(accounts: readonly AccountView[]): string {
  return table(
    ['ACCOUNT', 'SINCE', 'E-MAIL', 'STATUS'],
    accounts.map((account) => [
      account.name,
      day(account.created_at),
      inert(account.email ?? ''),
      statusOf(account),
    ]),
  )
}

export function accountDetails(account: AccountDetails): string {
  const { tokens, certificates, settings } = account
  return fields([
    ['account', account.name],
    ['since', account.created_at],
    ['email', inert(account.email ?? 'none')],
    ['status', statusOf(account)],
    ['password', account.password ? `yes${account.scram ? ', also for SCRAM' : ''}` : 'none'],
    ['tokens', tokens.length > 0 ? tokenTable(tokens) : 'none'],
    ['certificates', certificates.map(({ fingerprint }) => fingerprint).join('\n') || 'none'],
    ['settings', Object.entries(settings).map(settingLine).join(', ') || 'server defaults'],
  ])
}

/** As in `NickServ SET`: `ALWAYS-ON ON`. */
function settingLine([name, value]: [string, unknown]): string {
  const words = name.replaceAll(/[A-Z]/g, (letter) => `-${letter}`).toUpperCase()
  return `${words} ${typeof value === 'boolean' ? (value ? 'ON' : 'OFF') : String(value)}`
}

export function tokenTable(tokens: readonly TokenView[]): string {
  return table(
    ['TOKEN', 'SINCE', 'LAST USED', 'UNTIL (UTC)'],
    tokens.map((token) => [
      token.label,
      day(token.created_at),
      token.used_at === null ? 'never' : day(token.used_at),
      token.expires_at === null ? '' : untilOf(token.expires_at),
    ]),
  )
}

function untilOf(time: string): string {
  return `${minute(time)}${Date.parse(time) <= Date.now() ? ', expired' : ''}`
}

export function showMade({ account, password, token }: AccountMade, what: string): void {
  print(what)
  if (password !== null) print(`password: ${password}`)
  if (token !== null) print(`token: ${token}`)
  if (password !== null || token !== null) remark(howToUse(account))
}

export function showToken({ account, token }: TokenMade): void {
  print(`token: ${token}`)
  remark(howToUse(account))
}

function howToUse(account: string): string {
  return `It will not be shown again. Log in with SASL PLAIN as ${account}, or with PASS ${account}:…`
}

function statusOf({ suspended }: AccountView): string {
  if (suspended === null) return 'active'
  const { by, at, reason, expires_at: end } = suspended
  const until = end === null ? '' : `, until ${minute(end)}`
  return `suspended by ${by} on ${day(at)}${until}${reason ? `: ${inert(reason)}` : ''}`
}

function day(time: string): string {
  return time.slice(0, 10)
}

export function minute(time: string): string {
  return time.slice(0, 16).replace('T', ' ')
}
