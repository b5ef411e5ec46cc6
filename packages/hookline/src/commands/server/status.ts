// `server stop|status|reload` of a running server, and `server check` of the next one.
import { existsSync } from 'node:fs'
import { type BotOnDisk, readBots } from '../../bots/disk.ts'
import { unserved } from '../../bots/warnings.ts'
import { connectControl } from '../../control/client.ts'
import { done, wrong, wrongYet, type Answer } from '../../control/failure.ts'
import type {
  ClockTrusted,
  ServerChecked,
  ServerStatus,
  ServerStopped,
} from '../../control/outputs/server.ts'
import { clockText } from '../../store/storeclock.ts'
import { validateBots } from '../bot/work/validate.ts'
import type { Context, LiveContext } from '../context.ts'
import type { Input } from '../oldlist.ts'

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
    warnings: running.exposures(),
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

/** Looks at everything that the next start needs, whether or not a server runs. */
export async function checkServer(
  context: Context,
  { config: file, ...flags }: Input<'server check'>,
): Promise<Answer<ServerChecked>> {
  // Other commands need neither.
  const { loadConfig } = await import('../../config/config.ts')
  const { exposuresOf, takesWebhooksFromAway } = await import('../../config/exposure.ts')
  const { lookAhead } = await import('./nextstart.ts')
  const { home } = context
  const read = loadConfig({ home, file, flags, env: process.env })
  const bots = existsSync(home.bots) ? readBots(home) : []
  const isExposed = read.ok && takesWebhooksFromAway(read.config)
  const snags = [
    ...(await lookAhead(read, { home, ours: await listensOn(context) })),
    ...(await brokenBots(context)),
    ...(isExposed ? bots.flatMap(unservedSnag) : []),
  ]
  const checked = { problems: snags, warnings: read.ok ? exposuresOf(read.config, bots) : [] }
  if (snags.length === 0) return done(checked)
  const count = `${snags.length} ${snags.length === 1 ? 'problem' : 'problems'}`
  const outcome = snags.some(({ stops }) => stops)
    ? 'the server would not start'
    : 'the server would start, but not everything would work'
  const details = snags.map(({ what, mend }) => `${what} (${mend})`)
  return wrongYet(checked, 'invalid', `${count}: ${outcome}`, 'mend them, then run this again', details)
}

/** Undefined if no server runs. */
async function listensOn({ home }: Context): Promise<readonly string[] | undefined> {
  const connected = await connectControl(home)
  if (!connected.ok) return undefined
  const answer = await connected.client.call('server status', {})
  connected.client.close()
  if (!answer.ok) return []
  const { listeners, webhook } = answer.output as ServerStatus
  return [...listeners, ...(webhook === null ? [] : [webhook])]
}

async function brokenBots(context: Context): Promise<ServerChecked['problems']> {
  if (!existsSync(context.home.bots)) return []
  const validated = await validateBots(context, {})
  if (validated.ok) return []
  const mend = 'mend the file: the bot stays out until then'
  return (validated.error.details ?? []).map((what) => ({ what, mend, stops: false }))
}

/** It starts, and nobody can post to it. */
function unservedSnag(bot: BotOnDisk): ServerChecked['problems'] {
  const mend = `hookline bot edit ${bot.name} --secret generate`
  return unserved(bot).map((what) => ({ what, mend, stops: false }))
}
