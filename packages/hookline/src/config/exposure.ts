// What the settings open to strangers. None of it is a mistake, but whoever runs the server should have meant it.
import { isLoopback } from '../irc/address.ts'
import { hostAndPort } from '../net/listening.ts'
import { SHORTEST_PASSWORD } from '../accounts/validity.ts'
import { DEFAULT_COST } from '../accounts/passwords.ts'
import type { BotOnDisk } from '../bots/disk.ts'
import type { Config } from './config.ts'

export interface Exposure {
  readonly what: string
  /** What closes it, in one line. */
  readonly mend: string
}

export function exposuresOf(
  config: Config,
  bots: readonly Pick<BotOnDisk, 'name' | 'settings'>[],
): readonly Exposure[] {
  const ofSettings = [plainText, strangers, webPages, proxies, weaknesses].flatMap((look) => look(config))
  return [...ofSettings, ...unproven(config, bots)]
}

/** Whether webhooks come from other machines. */
export function takesWebhooksFromAway({ webhooks }: Pick<Config, 'webhooks'>): boolean {
  return webhooks.enabled && !isLoopback(webhooks.host)
}

/** Listeners that other machines reach; one for proxies alone is reached through them. */
function away({ listeners }: Config): Config['listeners'] {
  return listeners.filter(({ host }) => !isLoopback(host))
}

function plainText(config: Config): Exposure[] {
  const open = away(config)
    .filter(({ tls, isForProxies }) => tls === undefined && !isForProxies)
    .map(({ host, port }) => ({
      what: `IRC on ${hostAndPort(host, port)} is in plain text for other machines: passwords and messages can be read on the way`,
      mend: 'give that listener tls, or host: 127.0.0.1',
    }))
  const { host, port } = config.webhooks
  if (!takesWebhooksFromAway(config)) return open
  const what = `webhooks on ${hostAndPort(host, port)} are in plain text for other machines: payloads, and secrets in headers and URLs, can be read on the way`
  return [...open, { what, mend: 'set webhooks.host: 127.0.0.1, and put a proxy with HTTPS in front' }]
}

function strangers(config: Config): Exposure[] {
  const { accounts, server } = config
  if (away(config).length === 0) return []
  const { enabled, before_connect: beforeConnect } = accounts.registration
  const hasPassword = server.password_hash != null
  const isRegistrationOpen = enabled && !hasPassword && (!accounts.required || beforeConnect)
  return [
    ...when(!hasPassword && !accounts.required, {
      what: 'anybody who reaches the server may connect, join channels and speak there',
      mend: 'set accounts.required: true, or a connection password: server.password_hash',
    }),
    ...when(isRegistrationOpen, {
      what: 'anybody who reaches the server may register an account',
      mend: 'set accounts.registration.enabled: false, and make accounts with hookline account create',
    }),
  ]
}

function webPages({ listeners, server }: Config): Exposure[] {
  const all = server.websocket_origins.filter((origin) => /^(https?:\/\/)?\*$/.test(origin))
  return when(all.length > 0 && listeners.some(({ isWebSocket }) => isWebSocket), {
    what: `every web page may connect with WebSocket (server.websocket_origins: ${all.join(', ')})`,
    mend: 'name the origins of your own pages, such as https://chat.example.org',
  })
}

function proxies({ server, limits }: Config): Exposure[] {
  const isEverybody = (network: string): boolean => /\/0+$/.test(network)
  return [
    ...when(server.trusted_proxies.some(isEverybody), {
      what: 'anybody may say which address they come from, which bans and limits go by (server.trusted_proxies names every address)',
      mend: 'name only the addresses of your proxies',
    }),
    ...when(limits.exempt.some(isEverybody), {
      what: 'nobody has a limit on connections (limits.exempt names every address)',
      mend: 'name only the addresses that need it',
    }),
  ]
}

/** What only matters where strangers come. */
function weaknesses(config: Config): Exposure[] {
  const { accounts, limits } = config
  const { password_length: length = SHORTEST_PASSWORD } = accounts.registration
  if (away(config).length === 0) return []
  return [
    ...when(!limits.flood_protection, {
      what: 'clients may send as fast as they like (limits.flood_protection: false)',
      mend: 'remove limits.flood_protection',
    }),
    ...when(accounts.password_cost < DEFAULT_COST, {
      what: `password hashes are as cheap as for tests (accounts.password_cost: ${accounts.password_cost})`,
      mend: 'remove accounts.password_cost: each password is hashed anew at its next login',
    }),
    ...when(length < SHORTEST_PASSWORD, {
      what: `new passwords may have ${length} characters (accounts.registration.password_length)`,
      mend: `remove password_length, for ${SHORTEST_PASSWORD}`,
    }),
  ]
}

/** Bots that take any sender's word; one without `trigger.auth` is not served then, and says so itself. */
function unproven(config: Config, bots: readonly Pick<BotOnDisk, 'name' | 'settings'>[]): Exposure[] {
  if (!takesWebhooksFromAway(config)) return []
  const open = bots
    .filter(({ settings }) => settings?.trigger.type === 'webhook' && settings.trigger.auth?.type === 'none')
    .map(({ name }) => name)
  if (open.length === 0) return []
  const more = open.length > NAMED ? ` and ${open.length - NAMED} more` : ''
  const names = open.slice(0, NAMED).join(', ') + more
  const [first = ''] = open
  return [
    {
      what: `anybody who reaches the server may post through ${names} (trigger.auth: {type: none})`,
      mend: `give each a secret: hookline bot edit ${first} --secret generate`,
    },
  ]
}

/** Thousands of bots may be open: a line of the log is no list. */
const NAMED = 10

function when(isSo: boolean, exposure: Exposure): Exposure[] {
  return isSo ? [exposure] : []
}
