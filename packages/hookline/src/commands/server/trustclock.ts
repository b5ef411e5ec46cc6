// `hookline server trust-clock`
import { done } from '../../control/failure.ts'
import { verb } from '../command.ts'
import { NEEDS_SERVER } from '../shared.ts'
import { print } from '../terminal.ts'

export default verb({
  details: `The server deletes old records by the time that it has seen pass. When the machine's clock is more than a day ahead of that, the server believes
it only after it has stayed so for an hour of running; a clock that is more than a day behind is never believed, and the time that has passed counts in its
place. \`hookline server status\` and the log say so then. If the clock is right, this makes it count at once. What was stamped with later times, while the
clock was wrong, is pulled back. Look at the clock first (\`date\`): what is too old by it is deleted.`,
  arguments: [],
  options: [],
  changes: true,
  where: 'server',
  examples: [{ run: 'hookline server trust-clock', shows: 'the time that counts from now on' }],
  exits: NEEDS_SERVER,
  /** The time that counts now, and the one that did. */
  output: { time: 'time', was: 'time' },

  async run({ running }) {
    const { store } = running
    const was = new Date(store.clock.trusted).toISOString()
    await running.trustClock()
    return done({ time: new Date(store.clock.trusted).toISOString(), was })
  },

  show: ({ time, was }) => print(`the time that counts is ${time}; it was ${was}`),
})
