// A user without a connection: a bot, or a voice from the command line. Channels cannot tell it from a person.
import {
  type ChannelKey,
  channelKey,
  isBotNick,
  isChannelName,
  isNick,
  isValidChannelName,
  nickKey,
} from '../irc/names.ts'
import { between, partyOf } from './conversation.ts'
import type { Said } from './features/say.ts'
import { findService } from './features/services.ts'
import { roomFor } from './output/line.ts'
import { answersFor, belongsToAnother } from './rules/account.ts'
import { closedSince } from './rules/history.ts'
import { heldBackTo, refusesSpeech } from './rules/speak.ts'
import type { Chat } from './spine.ts'
import {
  type Channel,
  findChannel,
  findUser,
  isBot,
  maskOf,
  membership,
  type State,
  type User,
  type UserKey,
} from './state.ts'

export interface Guest {
  readonly nick: string
  readonly username: string
  readonly realname: string
  /** Joined at once, with voice, so that it is heard in a moderated channel. */
  readonly channels: readonly string[]
  /** Marks it as a bot: user mode B, 335 in WHOIS, the `bot` tag on what it says. */
  readonly isBot: boolean
}

/** A message that is decided and stamped but not yet sent. `id` is its msgid, `at` its time in ms. */
export interface Draft {
  readonly id: string
  readonly at: number
  readonly command: 'PRIVMSG' | 'NOTICE'
  readonly from: UserKey
  /** As shown: `#Builds`, `spark-claude`. */
  readonly target: string
  /** The conversation that history files it under. */
  readonly conversation: string
  /** For a channel that is not open to everybody: when it was created. */
  readonly closed?: number
  readonly nick: string
  readonly mask: string
  readonly account: string | null
  readonly isBot: boolean
  /** Lines joined by LF. */
  readonly text: string
  /** The delivery that caused it, if one did. */
  readonly delivery: string | null
  /** Client-only tags: what it answers. */
  readonly clientTags?: Said['clientTags']
  /** On disk before it is published. If false, history keeps it like a person's message. */
  readonly isRecorded: boolean
}

/** A redacted message that history has already removed. */
export interface Withdrawn {
  /** Its msgid. */
  readonly id: string
  /** As shown: where it was said. */
  readonly target: string
  readonly reason: string | undefined
}

export type Refusable<T> = ({ readonly ok: true } & T) | { readonly ok: false; readonly reason: string }

/** What the rooms above can do with users that have no connection. */
export interface VirtualUsers {
  /** The time of the chat, in ms: it goes on if the machine's clock is set back. */
  now(): number
  /** Registers the nick and joins its channels. Refused when the nick is taken or is not a nick. */
  appear(guest: Guest): Refusable<{ user: UserKey }>
  /** Leaves with a QUIT, seen in its channels. */
  leave(user: UserKey, reason: string): void
  /** Joins channels that it is not in (a kicked bot returns) and parts those not listed. */
  moveTo(user: UserKey, channels: readonly string[]): void
  /** Checks whether `user` may speak there now and stamps what it would say. Nothing is sent yet. A refusal names the target. */
  draft(
    user: UserKey,
    said: { target: string; command: 'PRIVMSG' | 'NOTICE'; lines: readonly string[]; delivery?: string },
  ): Refusable<{ draft: Draft }>
  /** Sends a draft. If its record is on disk already, history does not keep it again. */
  publish(draft: Draft): void
  /** Tells those who saw it that it was redacted, by `user` or by the server. Nobody is told if its target is gone. */
  redact(user: UserKey | undefined, withdrawn: Withdrawn): void
  /** A NOTICE from the server itself to one connected user; false when the nick is not present. */
  notice(nick: string, text: string): boolean
  /** True when a person or agent with a connection has this nick; if it belongs to an account, one logged in to it. */
  isPresent(nick: string): boolean
  /** The current name of a channel that `user` knows by this name: a bot stays in a channel that is renamed. */
  nameOf(user: UserKey, channel: string): string
  /** Bytes that a line of `user` to `target` may carry after `PRIVMSG <target> :` so that it fits in 512. */
  room(user: UserKey, target: string): number
}

export function virtualUsers(chat: Chat): VirtualUsers {
  const { state } = chat

  function moveTo(key: UserKey, names: readonly string[]): void {
    const user = state.users.get(key)
    if (user === undefined) return
    const wanted = names.filter((name) => isValidChannelName(name, chat.settings.limits.channelLength))
    const meant = channelsMeant(state, user, wanted)
    for (const channel of Array.from(user.channels.keys())) {
      if (!meant.has(channel)) chat.propose({ kind: 'channel.parted', channel, user: key, reason: undefined })
    }
    const flags = chat.settings.channelFlags
    for (const [channel, name] of meant) {
      if (user.channels.has(channel)) continue
      chat.propose({ kind: 'channel.joined', channel, name, user: key, ranks: ['v'], flags })
    }
  }

  return {
    now: () => chat.world.now(),
    moveTo,
    appear({ nick, username, realname, channels, isBot }) {
      if (!isBotNick(nick) && !isNick(nick, chat.settings.limits.nickLength)) {
        return {
          ok: false,
          reason: `${nick} is not a valid nick: use letters, digits, hyphens and underscores`,
        }
      }
      if (findUser(state, nick) !== undefined || findService(nick) !== undefined)
        return { ok: false, reason: `the nick ${nick} is already in use` }
      if (nickKey(nick) === nickKey(chat.settings.name))
        return { ok: false, reason: `${nick} is the name of the server` }
      // A bot is called as its file says; a voice must not be taken for the owner of an account.
      if (!isBot && chat.settings.accounts.protectsNicks && belongsToAnother(state, nick, null))
        return { ok: false, reason: `the nick ${nick} belongs to an account` }
      const impossible = channels.find(
        (name) => !isValidChannelName(name, chat.settings.limits.channelLength),
      )
      if (impossible !== undefined)
        return { ok: false, reason: `${impossible} is not a valid channel name on this server` }

      const user = chat.newUserKey()
      chat.propose({
        kind: 'user.registered',
        user,
        nick,
        username,
        host: chat.settings.name,
        realname,
        account: null,
        modes: isBot ? ['B'] : [],
        isSecure: false,
        session: undefined,
      })
      moveTo(user, channels)
      return { ok: true, user }
    },
    leave(user, reason) {
      if (state.users.has(user)) chat.propose({ kind: 'user.quit', user, reason })
    },
    draft(key, { target, command, lines, delivery }) {
      const from = state.users.get(key)
      if (from === undefined) return { ok: false, reason: 'the sender is not connected' }
      const to = whereTo(chat, target, from)
      if (to === undefined) return { ok: false, reason: `${target}: no such nick or channel` }
      const refusal = 'channel' in to ? refusalIn(to.channel, from, lines) : undefined
      if (refusal !== undefined) return { ok: false, reason: `${target}: ${refusal}` }

      const name = 'channel' in to ? to.channel.name : to.user.nick
      const conversation = 'channel' in to ? to.channel.key : between(partyOf(from), partyOf(to.user))
      const draft: Draft = {
        id: chat.world.newId(),
        at: chat.clock.next(conversation),
        command,
        from: key,
        target: name,
        conversation,
        ...('channel' in to ? closedSince(to.channel) : {}),
        nick: from.nick,
        mask: maskOf(from),
        account: from.account,
        isBot: isBot(from),
        text: lines.map(sendable).join('\n'),
        delivery: delivery ?? null,
        isRecorded: true,
      }
      return { ok: true, draft }
    },
    publish({ id, at, command, from, target, text, delivery, clientTags = [], isRecorded }) {
      const to = whereTo(chat, target, state.users.get(from)) ?? renamedFrom(state, target)
      // Either may have gone since it was drafted; history has it all the same.
      if (to === undefined || !state.users.has(from)) return
      const said: Said = {
        kind: 'said',
        command,
        from,
        to: 'channel' in to ? { channel: to.channel.key, rank: undefined } : { user: to.user.key },
        lines: text.split('\n').map((line) => ({ text: line, isJoined: false })),
        clientTags,
        delivery: delivery ?? undefined,
        isRecorded,
      }
      chat.log.append(said, undefined, { id, at })
    },
    redact(key, { id, target, reason }) {
      const by = key !== undefined && state.users.has(key) ? key : undefined
      const found = whereTo(chat, target) ?? renamedFrom(state, target)
      if (found === undefined) return
      const to =
        'channel' in found ? { channel: found.channel.key, rank: undefined } : { user: found.user.key }
      chat.propose({ kind: 'redacted', by, to, message: id, reason })
    },
    notice(nick, text) {
      const user = present(state, nick)
      if (user === undefined) return false
      const { world } = chat
      const params = [user.nick, sendable(text)]
      const line = chat.line({ command: 'NOTICE', params, at: world.now(), id: world.newId() })
      const sessions = chat.sessionsOf(user)
      for (const session of sessions) session.sendUnlabelled(line)
      return sessions.length > 0
    },
    isPresent: (nick) => present(state, nick) !== undefined,
    nameOf(key, channel) {
      const user = state.users.get(key)
      return (user && channelOf(state, user, channel)?.name) ?? channel
    },
    room(key, target) {
      const from = state.users.get(key)
      if (from === undefined) return 0
      const name = (isChannelName(target) && channelOf(state, from, target)?.name) || target
      return roomFor(maskOf(from), 'PRIVMSG', name)
    },
  }
}

/** CR, LF and NUL become spaces: they would fail all that is sent with them, and stay in the history. */
function sendable(line: string): string {
  return line.replaceAll(/[\r\n\0]+/g, ' ')
}

/** Who has this nick and a connection; if the nick belongs to an account, only one logged in to it. */
function present(state: State, nick: string): User | undefined {
  const user = findUser(state, nick)
  return user !== undefined && user.sessions.length > 0 && answersFor(state, user) ? user : undefined
}

/** Also refuses what only the channel's operators would hear (+U). */
function refusalIn(channel: Channel, from: User, lines: readonly string[]): string | undefined {
  const refusal = refusesSpeech(channel, from, lines)
  if (refusal !== undefined || heldBackTo(channel, from, undefined) === undefined) return refusal
  return 'without voice, only the channel operators would see it (+U)'
}

/** A bot stays in a renamed channel, and still finds it by the name that it joined, which its file has. */
function channelOf(state: State, user: User, name: string): Channel | undefined {
  const key = channelKey(name)
  const channel = state.channels.get(key)
  if (channel !== undefined && membership(channel, user) !== undefined) return channel
  for (const each of user.channels.values()) if (membership(each, user)?.joinedAs === key) return each
  return channel
}

/** The channels of its file. If that also lists the new name of a renamed channel, the old name means another channel. */
function channelsMeant(state: State, user: User, names: readonly string[]): ReadonlyMap<ChannelKey, string> {
  const keys = new Set(names.map(channelKey))
  return new Map(
    names.map((name) => {
      const present = channelOf(state, user, name)?.key
      return [present === undefined || keys.has(present) ? channelKey(name) : present, name]
    }),
  )
}

/** A channel may be renamed while the disk is asked about what concerns it. */
function renamedFrom(state: State, target: string): { channel: Channel } | undefined {
  const channel = isChannelName(target) ? state.renamed.get(channelKey(target)) : undefined
  return channel && { channel }
}

function whereTo(chat: Chat, target: string, from?: User): { channel: Channel } | { user: User } | undefined {
  if (isChannelName(target)) {
    const channel = from === undefined ? findChannel(chat.state, target) : channelOf(chat.state, from, target)
    return channel && { channel }
  }
  const user = findUser(chat.state, target)
  return user && { user }
}
