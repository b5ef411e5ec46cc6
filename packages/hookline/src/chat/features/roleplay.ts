// NPC, NPCA and SCENE: roleplay in a channel with +E. Each message names its author.
// https://github.com/ergochat/ergo/blob/stable/docs/MANUAL.md
import { isNick } from '../../irc/names.ts'
import * as numerics from '../../irc/numerics.ts'
import { byteLength, cutText } from '../../irc/split.ts'
import type { Command, UserTurn } from '../command.ts'
import { roomFor } from '../output/line.ts'
import { isMaskMuted } from '../rules/ban.ts'
import { findVisible } from '../rules/see.ts'
import { speakAs } from './puppet.ts'

export const NPC: Command = character('NPC', 'NPC <channel> <name> <text>: speaks as a character in a story')
export const NPCA: Command = character('NPCA', 'NPCA <channel> <name> <text>: acts as a character in a story')

export const SCENE: Command = {
  name: 'SCENE',
  minParams: 2,
  when: 'registered',
  help: 'SCENE <channel> <text>: narrates what happens in a story',
  run(turn, { params: [channel = '', ...words] }) {
    tell(turn, channel, { nick: '=Scene=' }, words)
  },
}

function character(name: 'NPC' | 'NPCA', help: string): Command {
  return {
    name,
    minParams: 3,
    when: 'registered',
    help,
    run(turn, { params: [channel = '', who = '', ...words] }) {
      if (!isNick(who, turn.chat.settings.limits.nickLength))
        return turn.reply(numerics.ERR_CANNOTSENDRP, channel, 'The name must be a valid nick')
      tell(turn, channel, { nick: `*${who}*`, isAction: name === 'NPCA' }, words)
    },
  }
}

/** Most clients show no more than nick and text, so the author is named at the end, where nothing is cut off. */
function signed({ user }: UserTurn, words: readonly string[], room: number): string {
  const signature = ` (${user.nick})`
  return cutText(words.join(' ').replaceAll('\x01', ''), room - byteLength(signature)) + signature
}

function tell(
  turn: UserTurn,
  name: string,
  { nick, isAction = false }: { readonly nick: string; readonly isAction?: boolean },
  words: readonly string[],
): void {
  const { chat, state, user, reply } = turn
  const cannot = (why: string) => reply(numerics.ERR_CANNOTSENDRP, name, why)
  if (!chat.settings.hasRoleplay) return cannot('Roleplay is not enabled on this server')
  const channel = findVisible(state, user, name)
  if (channel === undefined) return reply(numerics.ERR_NOSUCHCHANNEL, name)
  if (!channel.flags.has('E')) return cannot('Roleplay is not enabled in this channel (+E)')
  // As in Ergo, so that masks for such puppets mean the same.
  const mask = `${nick}!${user.nick}@npc.fakeuser.invalid`
  if (isMaskMuted(channel, mask)) return cannot(`${nick} is muted in this channel`)
  const room = roomFor(mask, 'PRIVMSG', channel.name)
  const text = isAction
    ? `\x01ACTION ${signed(turn, words, room - byteLength('\x01ACTION \x01'))}\x01`
    : signed(turn, words, room)
  speakAs(turn, channel, { nick, mask, isRelayed: false }, { text, clientTags: [] })
}
