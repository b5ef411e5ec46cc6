// RELAYMSG: a bridge to another chat speaks for people there, each with a nick that nobody here can have.
// https://github.com/ircv3/ircv3-specifications/pull/417
import * as numerics from '../../irc/numerics.ts'
import { byteLength } from '../../irc/split.ts'
import type { Command } from '../command.ts'
import { isMaskMuted } from '../rules/ban.ts'
import { mayRelay } from '../rules/rank.ts'
import { findVisible } from '../rules/see.ts'
import { speakAs } from './puppet.ts'
import { clientTagsOf } from './say.ts'

export const RELAYMSG: Command = {
  name: 'RELAYMSG',
  minParams: 3,
  when: 'registered',
  help: 'RELAYMSG <channel> <nick/elsewhere> :<text>: relays a message from someone in another chat',
  run(turn, message) {
    const { chat, state, user, reply, fail } = turn
    const [name = '', nick = '', text = ''] = message.params
    const { relay } = chat.settings
    if (relay === undefined) return fail('NOT_ENABLED', [], 'RELAYMSG is not enabled on this server')
    const channel = findVisible(state, user, name)
    if (channel === undefined) return reply(numerics.ERR_NOSUCHCHANNEL, name)
    if (!mayRelay(channel, user, relay))
      return fail('PRIVS_NEEDED', [], 'You cannot relay messages to this channel')
    if (text.trim() === '') return fail('BLANK_MSG', [], 'The message must not be blank')
    if (!isRelayed(nick, relay.separators)) {
      return fail(
        'INVALID_NICK',
        [],
        `A relayed nick must contain one of these separators, and no special characters: ${relay.separators}`,
      )
    }
    const puppet = { nick, mask: `${nick}!${user.username}@${user.host}`, isRelayed: true }
    if (isMaskMuted(channel, puppet.mask)) return fail('BANNED', [], `${nick} is muted in this channel`)
    speakAs(turn, channel, puppet, { text, clientTags: clientTagsOf(message) })
  },
}

/** In any script, as in other chats; but not part of a mask or a list, and no other kind of name. */
function isRelayed(nick: string, separators: string): boolean {
  if (byteLength(nick) > NICK_BYTES || !/^[^\s\p{C}!@*?,:#~&%+$][^\s\p{C}!@*?,:]*$/u.test(nick)) return false
  return separators.split('').some((separator) => nick.includes(separator))
}

const NICK_BYTES = 64
