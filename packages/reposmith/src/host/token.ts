// The token, and the one host that it may be sent to. It is read here and given to the client; no other module sees it.
import { execFile } from 'node:child_process'
import { cannot, done, type Answer } from '../failure.ts'
import { isLoopback, isPublic, type Host } from './host.ts'

/** The first one set wins, in this order: after our own two, that of `gh`. */
export const TOKEN_VARIABLES = ['CODEHOST_TOKEN', 'CH_TOKEN', 'GH_TOKEN', 'GITHUB_TOKEN'] as const

export const SCOPES = { always: ['repo', 'admin:repo_hook'], organizations: ['admin:org'] } as const

export interface Token {
  readonly text: string
  /** The variable that holds it. */
  readonly variable: string
}

/** The token for this host, or what to set. */
export function findToken(host: Host, env: NodeJS.ProcessEnv): Answer<Token> {
  const set = TOKEN_VARIABLES.filter((name) => env[name]?.trim())
  const variable = set.find((name) => belongsTo(name, host, env))
  if (variable !== undefined) {
    const text = env[variable]?.trim() ?? ''
    return isToken(text)
      ? done({ text, variable })
      : cannot(
          'no_token',
          `${variable} is not a token: it has more than one line, or characters that no token has`,
          'set it to the token alone',
        )
  }
  const scopes = `${SCOPES.always.join(' and ')}; for an organization also ${SCOPES.organizations.join()}`
  return set.length
    ? cannot(
        'no_token',
        `there is no token for ${host.name}: ${set.join(', ')} belongs to another host, and is not sent to this one`,
        `set CODEHOST_TOKEN, and CODEHOST_API_URL to ${host.api}`,
      )
    : cannot('no_token', 'there is no token', `set CODEHOST_TOKEN (or CH_TOKEN); scopes: ${scopes}`)
}

/** Whether a variable holds a token for this host, be it a wrong one: then `gh` is not asked for another. */
export function hasToken(host: Host, env: NodeJS.ProcessEnv): boolean {
  return TOKEN_VARIABLES.some((name) => env[name]?.trim() && belongsTo(name, host, env))
}

/** What `gh` is logged in with at this host, if it is there and is. */
export async function tokenOfGh({ name }: Host, env: NodeJS.ProcessEnv): Promise<Token | undefined> {
  const args = ['auth', 'token', '--hostname', name]
  return await new Promise((resolve) => {
    execFile('gh', args, { env, timeout: GH_MS }, (error, stdout) => {
      const text = stdout.trim()
      resolve(!error && isToken(text) ? { text, variable: 'gh (gh auth token)' } : undefined)
    })
  })
}

/** It asks nobody but the keychain. */
const GH_MS = 10_000

/** fetch's error for an invalid header value would include that value. */
function isToken(text: string): boolean {
  return /^[\x21-\x7e]+$/.test(text)
}

/**
 * CODEHOST_TOKEN and CH_TOKEN belong to the host of CODEHOST_API_URL if that is set, else to the host named.
 * GH_TOKEN and GITHUB_TOKEN are often set by habit: they go only to the public host, to its tenant that GH_HOST names, to
 * the host of GITHUB_API_URL, and to this machine. For another host `gh` has GH_ENTERPRISE_TOKEN, which it tells itself.
 */
function belongsTo(name: (typeof TOKEN_VARIABLES)[number], host: Host, env: NodeJS.ProcessEnv): boolean {
  const home = name.startsWith('G') ? env['GITHUB_API_URL'] : env['CODEHOST_API_URL']
  const { origin, hostname } = new URL(host.api)
  if (home && URL.parse(home)?.origin === origin) return true
  const isTenant = hostname.endsWith('.ghe.com') && env['GH_HOST']?.toLowerCase() === host.name
  if (name.startsWith('G')) return isPublic(host.api) || isTenant || isLoopback(hostname)
  return !home
}
