// `send` and `watch`: the chat from a terminal.
import { once } from 'node:events'
import { userInfo } from 'node:os'
import { qualified } from '../../bots/fields.ts'
import { linesOf } from '../../chat/saidlines.ts'
import type { SpokenEntry } from '../../chat/spoken.ts'
import { isChannelName, isValidChannelName, LONGEST_CHANNEL } from '../../irc/names.ts'
import type { Call, LiveContext } from '../context.ts'
import { done, wrong, type Answer } from '../../control/failure.ts'
import { notAChannel } from '../input.ts'
import type { Input } from '../oldlist.ts'
import type { Sent, SpokenView } from '../../control/outputs/chat.ts'
import { shellWord } from '../shellword.ts'

/** Most lines of a message from a terminal; a longer one is refused, not cut. */
const SEND_LINES = 50

/** Appears as a virtual user, speaks, and leaves. The message is recorded like any user's. */
export function send({ running }: LiveContext, { target, text, as }: Input<'send'>): Answer<Sent> {
  const nick = as ?? qualified(loginName(), running.name)
  const whole = text.replaceAll(/[\r\n]+/g, '\n').replaceAll(/^\n|\n$/g, '')
  if (whole === '')
    return wrong('usage', 'there is nothing to say', `for example: hookline send ${shellWord(target)} hello`)
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
}

/** Emits a `SpokenView` for each message until the caller is gone. */
export async function watch(
  { running }: LiveContext,
  { channel }: Input<'watch'>,
  { emit, signal }: Call,
): Promise<Answer<{ stopped: true }>> {
  if (channel !== undefined && !isValidChannelName(channel, LONGEST_CHANNEL)) return notAChannel(channel)
  const stop = running.watch(channel, (spoken) => emit(viewOfSpoken(spoken)))
  if (!signal.aborted) await once(signal, 'abort')
  stop()
  return done({ stopped: true })
}

export function viewOfSpoken(spoken: SpokenEntry): SpokenView {
  const { id, time, channel, from, text, delivery, command, isBot } = spoken
  return { id, time: new Date(time).toISOString(), channel, from, text, delivery, command, bot: isBot }
}

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
