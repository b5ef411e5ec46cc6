// `hookline server stop`
import { done } from '../../control/failure.ts'
import { verb } from '../command.ts'
import { NEEDS_SERVER } from '../shared.ts'
import { print } from '../terminal.ts'

export default verb({
  details: 'The server stops accepting, finishes what was accepted, and exits. Returns once it has exited.',
  arguments: [],
  options: [],
  changes: true,
  where: 'server',
  examples: [{ run: 'hookline server stop', shows: 'the server exits' }],
  exits: NEEDS_SERVER,
  /** The server answers that it is stopping; this is printed once it has gone. */
  output: { stopped: 'true or false', pid: 'number' },

  run({ running }) {
    // After the answer is sent: stopping closes its socket.
    setImmediate(() => running.stop())
    return done({ stopping: true, pid: running.pid })
  },

  show: ({ pid }) => print(`the server (pid ${pid}) has stopped`),
})
