// How a terminal shows accounts.
import type { OutputOf } from '../shape.ts'
import { table } from '../table.ts'
import { inert, print, remark } from '../terminal.ts'
import type { AccountView, MADE, TokenView } from './account.ts'

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

export function showMade({ account, password, token }: OutputOf<typeof MADE>, what: string): void {
  print(what)
  if (password !== null) print(`password: ${password}`)
  if (token !== null) print(`token: ${token}`)
  if (password !== null || token !== null) remark(howToUse(account))
}

export function howToUse(account: string): string {
  return `It will not be shown again. Log in with SASL PLAIN as ${account}, or with PASS ${account}:…`
}

export function statusOf({ suspended }: AccountView): string {
  if (suspended === null) return 'active'
  const { by, at, reason, expires_at: end } = suspended
  const until = end === null ? '' : `, until ${minute(end)}`
  return `suspended by ${by} on ${day(at)}${until}${reason ? `: ${inert(reason)}` : ''}`
}

export function day(time: string): string {
  return time.slice(0, 10)
}

export function minute(time: string): string {
  return time.slice(0, 16).replace('T', ' ')
}
