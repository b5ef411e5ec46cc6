// A request from localhost proves nothing: any web page can make a browser send requests there.
import { isLoopback } from '../irc/address.ts'
import { isIP } from 'node:net'
import type { IncomingHttpHeaders } from 'node:http'
import type { Bot } from '../bots/roster.ts'
import { type Answer, notActiveBecause, refuse } from './answer.ts'

export interface Door {
  /** The address that the listener is bound to. */
  readonly host: string
  /** Further host names that a proxy may use on loopback. */
  readonly allowedHosts: readonly string[]
}

/** The refusal for a request that a browser sends for another site, or undefined. `host` is the host that was asked for. */
export function guard(
  host: string | undefined,
  headers: IncomingHttpHeaders,
  door: Door,
): Answer | undefined {
  const { origin } = headers
  // DNS rebinding: a page of evil.example whose name now resolves to 127.0.0.1.
  if (host !== undefined && isLoopback(door.host) && !isOurName(nameOf(host), door)) {
    const which = PLAIN_NAME.test(nameOf(host)) ? nameOf(host) : 'it'
    const detail = `add ${which} to webhooks.allowed_hosts in server.yaml, or use the address`
    return refuse(421, 'unknown host', detail)
  }
  const site = headers['sec-fetch-site']
  const isForeign = origin !== undefined && origin !== `http://${host}` && origin !== `https://${host}`
  if (!isForeign && site !== 'cross-site' && site !== 'same-site') return undefined
  return refuse(403, 'requests from a browser page are refused', 'send the webhook from a server')
}

/** Shown to whoever configures the proxy, which may send a name of its own: that of its upstream. */
const PLAIN_NAME = /^[a-z0-9._-]{1,253}$/

/** Refuses a bot that would accept unproven requests from the network, unless it says so: `type: none`. */
export function guardUnproven({ settings }: Bot, { host }: Pick<Door, 'host'>): Answer | undefined {
  if (isLoopback(host) || settings?.trigger.auth !== undefined) return undefined
  return notActiveBecause('it has no trigger.auth, and this listener can be reached from other machines')
}

function isOurName(name: string, { host, allowedHosts }: Door): boolean {
  // DNS rebinding needs a name: an address cannot be rebound.
  if (isIP(name) !== 0 || name === 'localhost' || name.endsWith('.localhost')) return true
  return name === host.toLowerCase() || allowedHosts.some((allowed) => allowed.toLowerCase() === name)
}

/** Without the port, the brackets of an IPv6 address, and the dot that ends an absolute name (`localhost.`). */
function nameOf(host: string): string {
  const name = host.replace(/\.?(:\d*)?$/, '').toLowerCase()
  return name.startsWith('[') && name.endsWith(']') ? name.slice(1, -1) : name
}
