// NPC, NPCA and SCENE: telling a story in a channel that is set to it (+E). What is said shows who says it.
// https://github.com/ergochat/ergo/blob/stable/docs/MANUAL.md
import { isNick } from '../../irc/names.ts'
import * as numerics from '../../irc/numerics.ts'
import type { Command, UserTurn } from '../command.ts'
import { maySeeChannel } from '../rules/see.ts'
import { findChannel } from '../state.ts'
import { speakAs } from './puppet.ts'

export const NPC: Command = character(
  'NPC',
  'NPC <channel> <name> <text>: says something as somebody in a story',
)
export const NPCA: Command = character(
  'NPCA',
  'NPCA <channel> <name> <text>: does something as somebody in a story',
)

export const SCENE: Command = {
  name: 'SCENE',
  minParams: 2,
  when: 'registered',
  help: 'SCENE <channel> <text>: tells what happens in a story',
  run(turn, { params: [channel = '', ...words] }) {
    tell(turn, channel, '=Scene=', signed(turn, words))
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
        return turn.reply(numerics.ERR_CANNOTSENDRP, channel || '*', 'A name in a story is made like a nick')
      const text = signed(turn, words)
      tell(turn, channel, `*${who}*`, name === 'NPCA' ? `\x01ACTION ${text}\x01` : text)
    },
  }
}

/** Most clients show no more than the nick and the text. */
function signed({ user }: UserTurn, words: readonly string[]): string {
  return `${words.join(' ').replaceAll('\x01', '')} (${user.nick})`
}

function tell(turn: UserTurn, name: string, nick: string, text: string): void {
  const { chat, state, user, reply } = turn
  const cannot = (why: string) => reply(numerics.ERR_CANNOTSENDRP, name || '*', why)
  if (!chat.settings.hasRoleplay) return cannot('Roleplay is not enabled on this server')
  const channel = findChannel(state, name)
  if (channel === undefined || !maySeeChannel(user, channel))
    return reply(numerics.ERR_NOSUCHCHANNEL, name || '*')
  if (!channel.flags.has('E')) return cannot('The channel is not set to roleplay (+E)')
  // As Ergo has it, so that masks which are about such puppets mean the same.
  const mask = `${nick}!${user.nick}@npc.fakeuser.invalid`
  const isHeard = speakAs(turn, channel, { nick, mask, isRelayed: false }, { text, clientTags: [] })
  if (!isHeard) cannot(`${nick} is silenced in this channel`)
}
