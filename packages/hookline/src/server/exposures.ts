// What is open to strangers on a running server, for whoever runs it: in the log at start, in `server status`, and after a reload.
import type { Config } from '../config/config.ts'
import type { Exposure } from '../config/exposure.ts'
import type { Log } from '../log/log.ts'

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

/** Of this process. Whoever runs `server check` need not be who will start the server. */
export function asRoot(uid = process.getuid?.()): Exposure[] {
  if (uid !== 0) return []
  return [
    {
      what: 'the server runs as root: whoever breaks into it, or writes a handler, has the whole machine',
      mend: 'run it as a user of its own: docs/operations.md has a unit for systemd',
    },
  ]
}
