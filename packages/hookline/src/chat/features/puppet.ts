// Speaking in a channel for somebody who is not here: the channel's rules apply to the speaker.
import * as numerics from '../../irc/numerics.ts'
import type { UserTurn } from '../command.ts'
import type { Puppet, Said } from '../events.ts'
import { roomFor } from '../output/line.ts'
import { heldBackTo, refusesSpeech } from '../rules/speak.ts'
import type { Channel } from '../state.ts'
import { inRoom, saidBy } from './say.ts'

/** The caller checks whether the channel has muted the puppet by its name (`+b m:name`): each answers that in its own way. */
export function speakAs(
  turn: UserTurn,
  channel: Channel,
  as: Puppet,
  { text, clientTags }: { text: string; clientTags: Said['clientTags'] },
): void {
  const { chat, session, user, reply, propose } = turn
  const refusal = refusesSpeech(channel, user, [text])
  if (refusal !== undefined) return reply(numerics.ERR_CANNOTSENDTOCHAN, channel.name, refusal)

  session.spokeAt = chat.world.elapsed()
  const to = { channel: channel.key, rank: undefined, heardFrom: heldBackTo(channel, user, undefined) }
  const lines = inRoom([{ text, isJoined: false }], roomFor(as.mask, 'PRIVMSG', channel.name))
  propose({ ...saidBy(user, to, { command: 'PRIVMSG', lines, clientTags }), as })
}
