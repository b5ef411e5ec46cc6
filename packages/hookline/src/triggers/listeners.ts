// Which bots react to what: found by kind and channel, so that what concerns nobody costs nothing.
import type { ActiveBot, Bot } from '../bots/roster.ts'
import type { Reaction } from '../bots/file/triggerschema.ts'
import type { HappeningKind } from '../bots/file/triggertypes.ts'
import type { Channel } from '../chat/state.ts'
import { type ChannelKey, channelKey, nickKey } from '../irc/names.ts'
import type { Happening } from './happenings.ts'

export interface ListeningBot {
  readonly bot: ActiveBot
  readonly reaction: Reaction
  readonly from: ReadonlySet<string> | undefined
  readonly bots: ReadonlySet<string> | undefined
}

type ByChannel = ReadonlyMap<ChannelKey, readonly ListeningBot[]>

export class Listeners {
  readonly #kinds = new Map<HappeningKind, Map<ChannelKey, ListeningBot[]>>()
  /** Those that react to deliveries. */
  readonly ofDeliveries: readonly ListeningBot[]

  /** Includes active bots only. */
  constructor(bots: readonly Bot[]) {
    const all = bots.flatMap((bot) => listenerOf(bot) ?? [])
    this.ofDeliveries = all.filter(({ reaction }) => reaction.on.includes('delivery'))
    for (const listener of all) {
      const { on, in: where = listener.bot.settings.output.channels } = listener.reaction
      for (const kind of on.filter((each) => each !== 'delivery'))
        for (const name of where) this.#add(kind, channelKey(name), listener)
    }
  }

  /** Undefined when no bot reacts to this kind. */
  of(kind: HappeningKind): ByChannel | undefined {
    return this.#kinds.get(kind)
  }

  #add(kind: HappeningKind, key: ChannelKey, listener: ListeningBot): void {
    const byChannel = this.#kinds.get(kind) ?? new Map<ChannelKey, ListeningBot[]>()
    this.#kinds.set(kind, byChannel)
    byChannel.set(key, [...(byChannel.get(key) ?? []), listener])
  }
}

/** Whom it concerns, each with the channels where it saw it: a bot that was kicked from one sees nothing there. */
export function concerned(
  byChannel: ByChannel,
  happening: Happening,
): ReadonlyMap<ListeningBot, ReadonlySet<Channel>> {
  const found = new Map<ListeningBot, Set<Channel>>()
  for (const channel of happening.channels) {
    // The bot's file may still use the name that the channel had when the bot joined.
    for (const name of [channel.key, ...channel.formerNames]) {
      for (const listener of byChannel.get(name) ?? []) {
        if (sees(listener, channel, name) && isAsked(listener, happening))
          found.set(listener, (found.get(listener) ?? new Set()).add(channel))
      }
    }
  }
  return found
}

/** Whether it is in the channel, and knows it by this name. */
function sees({ bot }: ListeningBot, channel: Channel, name: ChannelKey): boolean {
  const member = channel.members.get(bot.user)
  return member !== undefined && (name === channel.key || name === member.joinedAs)
}

/** `!deploy now please` → `!deploy`, `now please`. */
export function commandIn(text: string): { readonly command: string; readonly args: string } {
  const [, command = '', args = ''] = /^\s*(\S*)(.*)$/s.exec(text) ?? []
  return { command, args: args.trim() }
}

function listenerOf(bot: Bot): ListeningBot | undefined {
  if (bot.status !== 'active' || !bot.settings.trigger.reaction) return undefined
  const { reaction } = bot.settings.trigger
  const from = reaction.from && new Set(reaction.from.map(nickKey))
  return { bot, reaction, from, bots: reaction.bots && new Set(reaction.bots) }
}

function isAsked({ bot, reaction, from }: ListeningBot, { kind, by, facts }: Happening): boolean {
  if (from && !from.has(nickKey(by))) return false
  if (kind !== 'message') return true
  const { contains, startsWith, command, mentionsMe } = reaction.match
  const text = (facts['text'] ?? '').toLowerCase()
  if (contains !== undefined && !text.includes(contains.toLowerCase())) return false
  if (startsWith !== undefined && !text.startsWith(startsWith.toLowerCase())) return false
  if (command !== undefined && commandIn(text).command !== command.toLowerCase()) return false
  return !mentionsMe || names(text, bot.name.toLowerCase())
}

/** As a word of its own: `ci` is not in `spark-ori-ci`. */
function names(text: string, nick: string): boolean {
  for (let at = text.indexOf(nick); at !== -1; at = text.indexOf(nick, at + 1)) {
    if (!isNickLetter(text[at - 1]) && !isNickLetter(text[at + nick.length])) return true
  }
  return false
}

function isNickLetter(character: string | undefined): boolean {
  return character !== undefined && /[\w[\]\\`^{|}-]/.test(character)
}
