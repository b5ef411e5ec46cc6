// `server stop|status|reload` of a running server.
import type { LiveContext } from '../context.ts'
import { done, wrong, type Answer } from '../failure.ts'
import { clockText } from '../../store/storeclock.ts'
import type { ClockTrusted, ServerStatus, ServerStopped } from '../outputs/server.ts'

export function stopServer({ running }: LiveContext): Answer<ServerStopped> {
  // After the answer is sent: stopping closes its socket.
  setImmediate(() => running.stop())
  return done({ stopping: true, pid: running.pid })
}

export function serverStatus({ running, home }: LiveContext): Answer<ServerStatus> {
  const { connections, users, channels, bots } = running.counts()
  const { checkedAt, damage } = running.store.soundness
  const { offBy } = running.store.clock
  return done({
    running: true,
    name: running.name,
    version: running.version,
    pid: running.pid,
    started_at: new Date(running.startedAt).toISOString(),
    uptime_seconds: running.uptimeSeconds(),
    home: home.folder,
    irc: running.irc[0] ?? null,
    listeners: running.irc,
    webhook: running.webhook ?? null,
    connections,
    users,
    channels,
    bots,
    storage_error: running.store.trouble ?? null,
    storage_checked_at: checkedAt === undefined ? null : new Date(checkedAt).toISOString(),
    storage_damage: damage ?? null,
    clock_warning: offBy === undefined ? null : clockText(offBy),
  })
}

export async function trustClock({ running }: LiveContext): Promise<Answer<ClockTrusted>> {
  const { store } = running
  const was = new Date(store.clock.trusted).toISOString()
  await running.trustClock()
  return done({ time: new Date(store.clock.trusted).toISOString(), was })
}

/** Invalid settings are refused as a whole; invalid bots are listed in the warnings. */
export async function reloadServer({
  running,
}: LiveContext): Promise<Answer<{ warnings: readonly string[] }>> {
  const { warnings, isApplied } = await running.reload()
  if (isApplied) return done({ warnings })
  return wrong(
    'invalid',
    'the settings are invalid; nothing changed',
    'fix them, then reload again',
    warnings,
  )
}
