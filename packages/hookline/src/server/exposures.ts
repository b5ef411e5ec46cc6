// What is open to strangers on a running server, for whoever runs it: in the log at start, in `server status`, and after a reload.
import type { Bots } from '../bots/bots.ts'
import type { Config } from '../config/config.ts'
import { type Exposure, exposuresOf, takesWebhooksFromAway } from '../config/exposure.ts'
import type { Log } from '../log.ts'

export function exposuresNow(config: Config, bots: Pick<Bots, 'list'>, uid = process.getuid?.()): Exposure[] {
  return [...exposuresOf(config), ...unproven(config, bots), ...asRoot(uid)]
}

/** Settings as they are in force: those that are read only at start are still the old ones. */
export function inForce(started: Config, read: Config): Config {
  const { trusted_proxies, websocket_origins } = started.server
  return {
    ...read,
    name: started.name,
    listeners: started.listeners,
    webhooks: started.webhooks,
    server: { ...read.server, trusted_proxies, websocket_origins },
    limits: { ...read.limits, exempt: started.limits.exempt },
  }
}

export function newAmong(exposures: readonly Exposure[], before: readonly Exposure[]): readonly Exposure[] {
  return exposures.filter(({ what }) => !before.some((other) => other.what === what))
}

export function logExposures(log: Log, exposures: readonly Exposure[]): void {
  for (const { what, mend } of exposures) log.warn({ mend }, what)
}

/** Bots that take any sender's word; one without `trigger.auth` is not served then, and says so itself. */
function unproven(config: Config, bots: Pick<Bots, 'list'>): Exposure[] {
  if (!takesWebhooksFromAway(config)) return []
  const open = bots
    .list()
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

function asRoot(uid: number | undefined): Exposure[] {
  if (uid !== 0) return []
  return [
    {
      what: 'the server runs as root: whoever breaks into it, or writes a handler, has the whole machine',
      mend: 'run it as a user of its own: docs/operations.md has a unit for systemd',
    },
  ]
}
