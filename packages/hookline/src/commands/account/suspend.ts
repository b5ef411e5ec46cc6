// `hookline account suspend`
import { done } from '../../control/failure.ts'
import { verb } from '../command.ts'
import { durationIn } from '../duration.ts'
import { oneLine } from '../oneline.ts'
import { NEEDS_SERVER_AND_DISK } from '../shared.ts'
import { print } from '../terminal.ts'
import { dateOf, NAME, refused } from './account.ts'
import { minute } from './lines.ts'

export default verb({
  details:
    'Its connections are closed and every login is refused, by any method, until `--duration` has passed or `hookline account restore`. Suspended again, it keeps its reason unless another is given. The name stays taken.',
  arguments: [NAME],
  options: [
    { name: 'duration', type: 'text', value: 'TIME', description: 'such as 90m or 1d12h; default: no end' },
    {
      name: 'reason',
      type: 'text',
      value: 'TEXT',
      description: 'told to whoever proves to own it',
    },
  ],
  changes: true,
  where: 'server',
  examples: [
    { run: 'hookline account suspend spark-claude --reason "token in a log"', shows: 'it is suspended' },
  ],
  exits: { 1: 'there is no such account, or the time is invalid', ...NEEDS_SERVER_AND_DISK },
  output: { account: 'text', expires_at: 'time or null' },

  async run({ running }, { name, duration, reason = '' }) {
    const time = durationIn(duration)
    if (!time.ok) return time
    const terms = { by: running.name, reason: oneLine(reason), durationMs: time.output }
    const suspended = await running.accounts.suspend(name, terms)
    if (!suspended.ok) return refused(name, suspended)
    return done({ account: name, expires_at: suspended.until === null ? null : dateOf(suspended.until) })
  },

  show: ({ account, expires_at: end }) =>
    print(`${account} is suspended${end === null ? '' : ` until ${minute(end)} UTC`}`),
})
