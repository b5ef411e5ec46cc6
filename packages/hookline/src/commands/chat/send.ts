// `hookline send`
import { userInfo } from 'node:os'
import { linesOf } from '../../chat/saidlines.ts'
import { done, wrong } from '../../control/failure.ts'
import { isChannelName, isValidChannelName, LONGEST_CHANNEL } from '../../irc/names.ts'
import { verb } from '../command.ts'
import { notAChannel } from '../input.ts'
import { NEEDS_SERVER } from '../shared.ts'
import { shellWord } from '../shellword.ts'
import { inert, remark } from '../terminal.ts'
import { SENT } from './message.ts'

/** Most lines of a message from a terminal; a longer one is refused, not cut. */
const SEND_LINES = 50

export default verb({
  details: `A user with that nick appears, speaks and leaves. Without \`--as\` it is \`<server>-<login name>\`. A nick in use is refused.
Several words are joined with spaces.`,
  arguments: [
    { name: 'target', description: "a channel, as '#lobby', or a nick", required: true },
    { name: 'text', description: 'what to say; - reads standard input', required: true, rest: true },
  ],
  options: [{ name: 'as', type: 'text', value: 'NICK', description: 'who says it (<server>-<login name>)' }],
  changes: true,
  where: 'server',
  examples: [{ run: `hookline send '#lobby' good morning`, shows: 'a line in #lobby' }],
  exits: { 1: 'the nick is in use or wrong, or the channel refuses', ...NEEDS_SERVER },
  output: SENT,

  needs: () => import('../../bots/file/fields.ts'),

  /** Appears as a virtual user, speaks, and leaves. The message is recorded like any user's. */
  run({ running }, { target, text, as }, ___, { qualified }) {
    const nick = as ?? qualified(loginName(), running.name)
    const whole = text.replaceAll(/[\r\n]+/g, '\n').replaceAll(/^\n|\n$/g, '')
    if (whole === '')
      return wrong(
        'usage',
        'there is nothing to say',
        `for example: hookline send ${shellWord(target)} hello`,
      )
    if (isChannelName(target) && !isValidChannelName(target, LONGEST_CHANNEL)) return notAChannel(target)
    const speaker = running.chat.appear({
      nick,
      username: 'terminal',
      realname: nick,
      channels: [],
      isBot: false,
    })
    if (!speaker.ok)
      return wrong('refused', `cannot speak as ${nick}: ${speaker.reason}`, 'choose another nick: --as NICK')
    try {
      const room = running.chat.room(speaker.user, target)
      const count = linesOf(whole, room).length
      if (count > SEND_LINES) {
        return wrong('refused', `${count} lines are too many at once`, `send at most ${SEND_LINES}`)
      }
      const said = { target, command: 'PRIVMSG', text: whole } as const
      let drafted = running.chat.draft(speaker.user, said)
      if (!drafted.ok && isChannelName(target)) {
        // Most channels accept messages only from members (+n), and an empty channel does not exist yet.
        running.chat.moveTo(speaker.user, [target])
        drafted = running.chat.draft(speaker.user, said)
      }
      if (!drafted.ok) {
        const hint = isChannelName(target)
          ? 'its modes refuse it, or its name is longer than limits.channel_length in server.yaml allows'
          : `write a channel with #, in quotes: ${shellWord(`#${target}`)}; a person must be connected`
        return wrong('refused', drafted.reason, hint)
      }
      running.chat.publish({ ...drafted.draft, isRecorded: false })
      const { id, at, target: shown, text: spoken } = drafted.draft
      return done({ id, time: new Date(at).toISOString(), target: shown, from: nick, text: spoken })
    } finally {
      running.chat.leave(speaker.user, 'spoke from a terminal')
    }
  },

  show: ({ target, from }) => remark(`sent to ${inert(target)} as ${from}`),
})

/** The login name, without characters that a nick cannot have. */
function loginName(): string {
  try {
    return userInfo().username.replaceAll(/[^A-Za-z0-9_-]+/g, '') || NAMELESS
  } catch {
    // Containers run servers as users that the system has no name for.
    return NAMELESS
  }
}

const NAMELESS = 'user'
