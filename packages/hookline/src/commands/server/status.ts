// `hookline server status`
import { done } from '../../control/failure.ts'
import { verb } from '../command.ts'
import { NEEDS_SERVER } from '../shared.ts'
import { fields } from '../table.ts'
import { print } from '../terminal.ts'
import { warnOf } from './exposurelines.ts'
import { type ServerStatus, STATUS } from './views.ts'

export default verb({
  details:
    'Exits with 2 when no server is running, for use in scripts. Warns, with what mends it, of everything that is open to strangers: plain text beyond this machine, open registration, bots without a secret, a server that runs as root.',
  arguments: [],
  options: [],
  changes: false,
  where: 'server',
  examples: [{ run: 'hookline server status --json', shows: 'addresses, pid and counts as one JSON object' }],
  exits: NEEDS_SERVER,
  output: STATUS,

  needs: () => import('../../store/storeclock.ts'),

  run({ running, home }, __, ___, { clockText }) {
    const { connections, users, channels, bots } = running.counts()
    const { checkedAt, damage } = running.store.integrity
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
  },

  show: showStatus,
})

function showStatus(status: ServerStatus): void {
  print(`hookline ${status.name} is running`)
  print(
    fields([
      ['irc', status.listeners.join(', ')],
      ['webhooks', status.webhook ?? 'off'],
      ['up', howLong(status.uptime_seconds)],
      ['pid', String(status.pid)],
      ['version', status.version],
      ['home', status.home],
      ['connections', String(status.connections)],
      ['users', String(status.users)],
      ['channels', String(status.channels)],
      ['bots', String(status.bots)],
      ...(status.storage_error === null
        ? []
        : [['storage', `nothing can be written: ${status.storage_error}`] as const]),
      ['database', databaseLine(status)],
      ...(status.clock_warning === null ? [] : [['warning', status.clock_warning] as const]),
    ]),
  )
  warnOf(status.warnings)
}

function databaseLine({ storage_checked_at: at, storage_damage: damage }: ServerStatus): string {
  if (damage !== null) return `damaged: ${damage}: restore a backup: hookline server restore FILE --force`
  return at === null ? 'not yet checked' : `checked at ${at}`
}

/** The two largest units: `3 d 4 h`. */
function howLong(seconds: number): string {
  const units = [
    ['d', Math.floor(seconds / 86_400)],
    ['h', Math.floor(seconds / 3600) % 24],
    ['min', Math.floor(seconds / 60) % 60],
    ['s', seconds % 60],
  ] as const
  const first = units.findIndex(([, count]) => count > 0)
  const shown = units.slice(first === -1 ? 3 : first).slice(0, 2)
  return shown.map(([unit, count]) => `${count} ${unit}`).join(' ')
}
