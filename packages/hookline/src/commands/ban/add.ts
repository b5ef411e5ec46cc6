// `hookline ban add`: UBAN ADD, from a terminal.
import { cannot, done, wrong } from '../../control/failure.ts'
import { verb } from '../command.ts'
import { counted } from '../counted.ts'
import { DISK_HINT } from '../diskfailure.ts'
import { durationIn } from '../duration.ts'
import { oneLine } from '../oneline.ts'
import { NEEDS_SERVER_AND_DISK } from '../shared.ts'
import { inert, print, remark } from '../terminal.ts'
import { BAN, TARGET, viewOf } from './ban.ts'

export default verb({
  details: `Takes effect at once: whoever the ban matches is disconnected, and cannot connect again until it is lifted or
expires. It survives restarts. Server operators with the privilege \`ban\` do the same from their client: \`/quote UBAN ADD …\`.

A target is an address (\`192.0.2.7\`), a network (\`192.0.2.0/24\`, \`2001:db8::/64\`) or a mask (\`*!*@*.example.org\`). For IPv6, ban
networks: one subscriber usually has a /64. A network that contains 127.0.0.0/8 or ::1 is refused: bots, proxies and you connect from there.

With \`--require-sasl\` the ban matches only users who are not logged in to an account.`,
  arguments: [TARGET],
  options: [
    {
      name: 'duration',
      type: 'text',
      value: 'TIME',
      description: 'such as 90m or 1d12h; default: permanent',
    },
    { name: 'reason', type: 'text', value: 'TEXT', description: 'shown to those who are banned' },
    { name: 'requireSasl', type: 'flag', description: 'users logged in to an account may still connect' },
  ],
  changes: true,
  where: 'server',
  examples: [
    {
      run: 'hookline ban add 192.0.2.0/24 --duration 1d --reason "spam from your network"',
      shows: 'what is banned, until when, and how many were disconnected',
    },
  ],
  exits: { 1: 'the target or the time is not valid, or may not be banned', ...NEEDS_SERVER_AND_DISK },
  /** `ended`: the number of connections closed. */
  output: { ban: BAN, ended: 'number' },

  async run({ running }, { target, duration, reason = '', requireSasl = false }) {
    const time = durationIn(duration)
    if (!time.ok) return time
    const request = { target, durationMs: time.output, needsAccount: requireSasl, reason: oneLine(reason) }
    const added = await running.bans.add(request, running.name)
    if (!added.ok && added.reason === undefined)
      return cannot('setup', 'nothing was banned: the ban could not be saved', DISK_HINT)
    if (!added.ok)
      return wrong('refused', `nothing was banned: ${added.reason}`, 'see: hookline ban add --help')
    return done({ ban: viewOf(added.ban), ended: added.ended })
  },

  show({ ban, ended }) {
    print(
      `banned ${inert(ban.target)} ${ban.expires_at === null ? 'permanently' : `until ${ban.expires_at}`}`,
    )
    if (ended > 0) remark(`closed ${counted(ended, 'connection')}`)
  },
})
