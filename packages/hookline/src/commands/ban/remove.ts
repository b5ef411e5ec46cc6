// `hookline ban remove`
import { cannot, done, wrong } from '../../control/failure.ts'
import { verb } from '../command.ts'
import { DISK_HINT } from '../diskfailure.ts'
import { NEEDS_SERVER_AND_DISK } from '../shared.ts'
import { inert, print } from '../terminal.ts'
import { TARGET } from './ban.ts'

export default verb({
  details: 'The target as `hookline ban list` shows it, or in an equivalent form.',
  arguments: [TARGET],
  options: [],
  changes: true,
  where: 'server',
  examples: [{ run: 'hookline ban remove 192.0.2.0/24', shows: 'they may connect again' }],
  exits: { 1: 'there is no such ban', ...NEEDS_SERVER_AND_DISK },
  output: { target: 'text', still_banned_by: ['text'] },

  async run({ running }, { target }) {
    const removed = await running.bans.remove(target)
    if (removed === undefined)
      return wrong('not_found', `${target} is not banned`, 'see the bans: hookline ban list')
    if (!removed.isSaved) return cannot('setup', 'nothing changed: it could not be saved', DISK_HINT)
    return done({ target: removed.target, still_banned_by: removed.over.map((ban) => ban.target) })
  },

  show({ target, still_banned_by: others }) {
    print(
      others.length === 0
        ? `${inert(target)} may connect again`
        : `the ban on ${inert(target)} is lifted, but it is still banned by ${inert(others.join(', '))}`,
    )
  },
})
