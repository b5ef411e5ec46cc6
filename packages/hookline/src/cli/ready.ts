// The line with which a server says that it is ready.
import type { Exposure } from '../config/exposure.ts'
import type { RunningServer } from '../server/server.ts'

/** `hookline local is ready: irc 127.0.0.1:6667, webhooks http://127.0.0.1:7680` */
export function readyLine(
  server: Pick<RunningServer, 'name' | 'irc' | 'webhook' | 'pid'> & {
    readonly warnings: readonly Exposure[]
  },
  json: boolean,
): string {
  const { name, irc, webhook, pid, warnings } = server
  if (!json) return `hookline ${name} is ready: irc ${irc.join(', ')}, webhooks ${webhook ?? 'off'}`
  return JSON.stringify({
    event: 'ready',
    server: name,
    irc: irc[0] ?? null,
    webhook: webhook ?? null,
    pid,
    listeners: irc,
    warnings,
  })
}
