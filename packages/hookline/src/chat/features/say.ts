// PRIVMSG, NOTICE and TAGMSG: saying something to a channel or to a user.
import { CAPS } from '../../irc/caps.ts'
import { TARGETS_PER_MESSAGE } from '../../irc/isupport.ts'
import type { Message } from '../../irc/message.ts'
import { splitStatus } from '../../irc/modes.ts'
import { fold, isChannelName } from '../../irc/names.ts'
import * as numerics from '../../irc/numerics.ts'
import { cutText, splitText } from '../../irc/split.ts'
import type { Tags } from '../../irc/tags.ts'
import type { Chat } from '../chat.ts'
import { type Command, effect, type UserTurn } from '../command.ts'
import type { Entry, MessageCommand, Said } from '../events.ts'
import { Line, roomFor, type Telling } from '../output/line.ts'
import { MessageTelling } from '../output/multiline.ts'
import { maySeeChannel } from '../rules/see.ts'
import { heldBackTo, refusesPrivate, refusesSpeech } from '../rules/speak.ts'
import type { SaidLine } from '../saidlines.ts'
import { askService, prepareService, tellHowToAsk } from '../service.ts'
import { isBot, maskOf, mustGet, type User } from '../state.ts'
import { type ChannelTarget, findTarget, leastOf, type Recipients, shownName, targetName } from '../target.ts'
import { accept } from './accept.ts'
import { findService } from './services.ts'

export function isMessageCommand(command: string): command is MessageCommand {
  return command === 'PRIVMSG' || command === 'NOTICE' || command === 'TAGMSG'
}

export const PRIVMSG: Command = messageCommand(
  'PRIVMSG',
  'PRIVMSG <target>{,<target>} :<text>: sends a message',
)
export const NOTICE: Command = messageCommand(
  'NOTICE',
  'NOTICE <target>{,<target>} :<text>: sends a message that must never be answered automatically',
)
export const TAGMSG: Command = messageCommand('TAGMSG', 'TAGMSG <target>{,<target>}: sends tags without text')

function messageCommand(command: MessageCommand, help: string): Command {
  return {
    name: command,
    minParams: 0,
    when: 'registered',
    help,
    prepare(turn, { params: [target = '', text = ''] }) {
      const service = command === 'PRIVMSG' ? findService(target) : undefined
      return service && prepareService(turn, service, text)
    },
    run(turn, message, prepared) {
      const [targets = '', text = ''] = message.params
      if (targets === '')
        return quietly(command, () => turn.reply(numerics.ERR_NORECIPIENT, `No recipient given (${command})`))
      if (command !== 'TAGMSG' && text === '')
        return quietly(command, () => turn.reply(numerics.ERR_NOTEXTTOSEND))
      if (command === 'TAGMSG' && !turn.session.has(CAPS['message-tags'])) return
      const service = findService(targets)
      if (service !== undefined) {
        echoToService(turn, command, service.nick, message)
        // A NOTICE or a TAGMSG to a service asks for nothing.
        return command === 'PRIVMSG' ? askService(turn, service, text, prepared) : undefined
      }
      const names = targets.includes(',') ? once(targets.split(',')) : [targets]
      if (names.length > TARGETS_PER_MESSAGE) {
        return quietly(command, () =>
          turn.reply(numerics.ERR_TOOMANYTARGETS, names[TARGETS_PER_MESSAGE] ?? ''),
        )
      }
      const lines = command === 'TAGMSG' ? [] : [{ text, isJoined: false }]
      const said = { command, lines, clientTags: clientTagsOf(message) }
      for (const name of names) sayTo(turn, name, said)
    },
  }
}

/** Nobody gets it twice, however often and in whatever case they are named. */
function once(names: readonly string[]): string[] {
  return [...new Map(names.map((name) => [fold(name), name])).values()]
}

/** Only to the connection that spoke: it may hold a password. */
function echoToService(
  { chat, session, user }: UserTurn,
  command: MessageCommand,
  nick: string,
  message: Message,
): void {
  if (!session.has(CAPS['echo-message'])) return
  const [, text = ''] = message.params
  const params = command === 'TAGMSG' ? [nick] : [nick, text]
  const stamp = { at: chat.world.now(), id: chat.world.newId() }
  session.send(chat.lineOf(user, stamp, command, params, { clientTags: clientTagsOf(message) }))
}

/** One whole message to one target: a single line, or a multiline batch. */
export function sayTo(turn: UserTurn, name: string, { command, lines, clientTags }: Spoken): void {
  const { chat, session, state, user, reply } = turn
  const target = findTarget(state, name)
  if (target === undefined) {
    const service = findService(name)
    if (service !== undefined) return command === 'PRIVMSG' ? tellHowToAsk(turn, service) : undefined
    const numeric = isChannelName(splitStatus(name).name)
      ? numerics.ERR_NOSUCHCHANNEL
      : numerics.ERR_NOSUCHNICK
    return quietly(command, () => reply(numeric, name))
  }
  session.spokeAt = chat.world.elapsed()
  const shown = 'user' in target ? target.user.nick : shownName(target)
  const source = maskOf(user)
  const message = { command, lines: inRoom(lines, roomFor(source, command, shown)), clientTags }
  if ('user' in target) sayToUser(turn, target.user, message)
  else sayInChannel(turn, target, message, name)
}

/**
 * A client may not count its own mask, and so send a line that is too long here. The end of a single one is cut, in history too; of
 * several each continues in another line, or something would be missing in the middle.
 */
export function inRoom(lines: readonly SaidLine[], room: number): readonly SaidLine[] {
  if (lines.length === 1) return lines.map((line) => ({ ...line, text: cutText(line.text, room) }))
  return lines.flatMap(({ text, isJoined }) =>
    splitText(text, room).map((piece, i) => ({ text: piece, isJoined: isJoined || i > 0 })),
  )
}

type Spoken = Pick<Said, 'command' | 'lines' | 'clientTags'>

function sayToUser({ state, user, reply, propose }: UserTurn, target: User, message: Spoken): void {
  const { command, lines } = message
  const refusal = refusesPrivate(state, user, target, lines.map(textOfLine))
  if (refusal !== undefined) {
    const [numeric, ...why] = refusal
    return quietly(command, () => reply(numeric, target.nick, ...why))
  }

  propose(saidBy(user, { user: target.key }, message))
  if (target.away !== undefined && command === 'PRIVMSG') reply(numerics.RPL_AWAY, target.nick, target.away)
}

/** `typed`: the target as typed, which is all that somebody outside a secret channel is told. */
function sayInChannel(
  { user, reply, propose }: UserTurn,
  { channel, rank }: ChannelTarget,
  message: Spoken,
  typed: string,
): void {
  const refusal = refusesSpeech(channel, user, message.lines.map(textOfLine))
  if (refusal !== undefined) {
    return quietly(message.command, () => {
      if (!maySeeChannel(channel, user)) reply(numerics.ERR_NOSUCHCHANNEL, typed)
      else reply(numerics.ERR_CANNOTSENDTOCHAN, channel.name, refusal)
    })
  }

  const heardFrom = heldBackTo(channel, user, rank)
  propose(saidBy(user, { channel: channel.key, rank, heardFrom }, message))
}

export function saidBy({ key }: User, to: Recipients, { command, lines, clientTags }: Spoken): Said {
  return { kind: 'said', command, from: key, to, lines, clientTags, delivery: undefined, isRecorded: false }
}

function textOfLine({ text }: SaidLine): string {
  return text
}

/** A NOTICE is never answered, or two programs could go on for ever; a labelled one still gets its ACK. */
function quietly(command: MessageCommand, answer: () => void): void {
  if (command !== 'NOTICE') answer()
}

/** Only client-only tags are passed on. https://ircv3.net/specs/extensions/message-tags#rules-for-servers */
export function clientTagsOf({ tags }: { tags: Tags }): Said['clientTags'] {
  return tags.size === 0 ? [] : [...tags].filter(([name]) => name.startsWith('+') && name.length > 1)
}

export const said = effect<Said>({
  apply(state, { from, to }) {
    // History follows the log. A user with +R accepts answers from those it has written to.
    if ('user' in to && mustGet(state.users, from).modes.has('R')) accept(state, from, to.user)
  },
  announce(chat, event, _, entry) {
    const from = mustGet(chat.state.users, event.from)
    const telling = tellingOf(chat, event, entry, from)
    const cap = event.command === 'TAGMSG' ? CAPS['message-tags'] : 0
    const origin = chat.originOf(entry)
    for (const session of chat.sessionsOf(from)) {
      // echo-message for the session that spoke; the user's other sessions always get it.
      // No client shows by itself what it says for a puppet.
      const isWanted = session !== origin || event.as !== undefined || session.has(CAPS['echo-message'])
      if (isWanted && session.hears(cap)) session.send(telling)
    }
    if ('user' in event.to) {
      const target = mustGet(chat.state.users, event.to.user)
      for (const session of chat.sessionsOf(target)) {
        // Of a message to oneself the other connections already have their copy.
        const hasCopy = target === from && session !== origin
        if (!hasCopy && session.hears(cap)) session.sendUnlabelled(telling)
      }
      return
    }
    const channel = mustGet(chat.state.channels, event.to.channel)
    const least = leastOf(event.to)
    if (least === undefined) chat.say(channel, telling, { except: from, cap })
    else chat.toRank(channel, telling, least, { except: from, cap })
  },
})

function tellingOf(chat: Chat, event: Said, entry: Entry, from: User): Telling {
  const target = targetName(chat.state, event.to)
  const { command, lines, clientTags, delivery, as } = event
  const [first] = lines
  const source = as?.mask ?? maskOf(from)
  const fields = {
    source,
    command,
    params: first === undefined ? [target] : [target, first.text],
    at: entry.at,
    id: entry.id,
    // A puppet has no account and is no bot, whoever speaks for it.
    account: as === undefined ? from.account : null,
    isBot: as === undefined && isBot(from),
    relayedBy: as?.isRelayed ? from.nick : undefined,
    delivery,
    clientTags,
  }
  if (lines.length > 1) return new MessageTelling(source, { ...fields, target, lines }, chat.newBatch())
  return new Line(fields)
}
