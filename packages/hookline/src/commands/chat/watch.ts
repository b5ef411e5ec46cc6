// `hookline watch`
import { once } from 'node:events'
import { done } from '../../control/failure.ts'
import { isValidChannelName, LONGEST_CHANNEL } from '../../irc/names.ts'
import { verb } from '../command.ts'
import { notAChannel } from '../input.ts'
import { NEEDS_SERVER } from '../shared.ts'
import { print } from '../terminal.ts'
import { spokenLine } from './lines.ts'
import { SPOKEN, viewOfSpoken } from './message.ts'

export default verb({
  details: 'Without a channel, shows all of them. With `--json`, one object per line.',
  arguments: [{ name: 'channel', description: `a channel, as '#lobby'` }],
  options: [],
  changes: false,
  where: 'server',
  streams: true,
  examples: [{ run: `hookline watch '#lobby'`, shows: 'each line of #lobby' }],
  exits: { 1: 'not a channel name', ...NEEDS_SERVER },
  /** Of each message. */
  output: SPOKEN,

  /** Emits a `SpokenView` for each message until the caller is gone. */
  async run({ running }, { channel }, { emit, signal }) {
    if (channel !== undefined && !isValidChannelName(channel, LONGEST_CHANNEL)) return notAChannel(channel)
    const stop = running.watch(channel, (spoken) => emit(viewOfSpoken(spoken)))
    if (!signal.aborted) await once(signal, 'abort')
    stop()
    return done({ stopped: true })
  },

  show: (spoken, { channel }) => print(spokenLine(spoken, { channel: channel === undefined })),
})
