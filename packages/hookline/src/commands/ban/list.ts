// `hookline ban list`
import { done } from '../../control/failure.ts'
import { verb } from '../command.ts'
import { NEEDS_SERVER_AND_DISK } from '../shared.ts'
import { table } from '../table.ts'
import { inert, print, remark } from '../terminal.ts'
import { BAN, viewOf } from './ban.ts'

export default verb({
  details:
    'With `--json`, an array of objects with target, expires_at (null: permanent), require_sasl, by, created_at and reason.',
  arguments: [],
  options: [],
  changes: false,
  where: 'server',
  examples: [{ run: 'hookline ban list', shows: 'a table of the bans' }],
  exits: NEEDS_SERVER_AND_DISK,
  output: [BAN],

  run: ({ running }) => done(running.bans.all().map(viewOf)),

  show(bans) {
    if (bans.length === 0) return remark('nobody is banned')
    const rows = bans.map(({ target, expires_at: until, require_sasl: needsAccount, by, reason }) => [
      inert(target),
      until ?? 'for good',
      needsAccount ? 'no account' : 'everybody',
      inert(by),
      inert(reason),
    ])
    print(table(['TARGET', 'UNTIL', 'FOR', 'BY', 'REASON'], rows))
  },
})
