// What a refused token lacks, from the response headers.
import { SCOPES } from './token.ts'

/** Names the missing scope or permission if the host tells it, else the scopes that are needed. */
export function scopeAdvice(headers: Readonly<Record<string, unknown>>, path: string): string {
  const sso = /url=([^;\s]+)/.exec(text(headers['x-github-sso']))?.[1]
  if (sso !== undefined) return `the organization asks for single sign-on: authorize the token at ${sso}`
  const missing = missingScope(headers)
  if (missing !== undefined) return `the token lacks the scope ${missing}`
  const permissions = text(headers['x-accepted-github-permissions'])
  if (permissions) return `the token lacks the permission ${permissions}`
  const needed = [...SCOPES.always, ...(path.startsWith('/orgs/') ? SCOPES.organizations : [])]
  return `the token may not do this: it needs the scopes ${needed.join(', ')}, and rights there`
}

/** `repo (it has gist)`, if the host lists accepted and held scopes; also for a 404, which may hide what exists. */
export function missingScope(headers: Readonly<Record<string, unknown>>): string | undefined {
  const accepted = listed(headers['x-accepted-oauth-scopes'])
  const held = listed(headers['x-oauth-scopes'])
  if (accepted.length === 0 || accepted.some((scope) => held.includes(scope))) return undefined
  return accepted.join(' or ') + (held.length ? ` (it has ${held.join(', ')})` : '')
}

function listed(value: unknown): readonly string[] {
  return text(value)
    .split(/[\s,]+/)
    .filter((scope) => scope !== '')
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
