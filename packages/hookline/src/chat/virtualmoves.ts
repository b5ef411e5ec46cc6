// How virtual users appear, and move between channels. virtual.ts says what each function does.
import { type ChannelKey, channelKey, isBotNick, isNick, isValidChannelName, nickKey } from '../irc/names.ts'
import { type Refusable, refuse } from '../failure/refusal.ts'
import type { Chat } from './chat.ts'
import { findService } from './features/services.ts'
import { belongsToAnother } from './rules/account.ts'
import type { ChatSettings } from './settings.ts'
import { type Channel, findUser, membership, type State, type User, type UserKey } from './state.ts'

export interface NewVirtualUser {
  readonly nick: string
  readonly username: string
  readonly realname: string
  /** Joined at once, with voice, so that it is heard in a moderated channel. */
  readonly channels: readonly string[]
  /** Marks it as a bot: user mode B, 335 in WHOIS, the `bot` tag on what it says. */
  readonly isBot: boolean
}

export function appear(chat: Chat, wanted: NewVirtualUser): Refusable<{ user: UserKey }> {
  const reason = whyNot(chat, wanted)
  if (reason !== undefined) return refuse(reason)
  const { nick, username, realname, channels, isBot } = wanted
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
  moveTo(chat, user, channels)
  return { ok: true, user }
}

function whyNot({ state, settings }: Chat, { nick, channels, isBot }: NewVirtualUser): string | undefined {
  const { nickLength } = settings.limits
  if (!isBotNick(nick) && !isNick(nick, nickLength))
    return `${nick} is not a valid nick: use letters, digits, hyphens and underscores`
  if (findUser(state, nick) !== undefined || findService(nick) !== undefined)
    return `the nick ${nick} is already in use`
  if (nickKey(nick) === nickKey(settings.name)) return `${nick} is the name of the server`
  // A bot is called as its file says; the nick of `send --as` must not be taken for an account's owner.
  if (!isBot && settings.accounts.protectsNicks && belongsToAnother(state, nick, null))
    return `the nick ${nick} belongs to an account`
  return whyNotIn(settings, channels)
}

function whyNotIn({ limits }: ChatSettings, channels: readonly string[]): string | undefined {
  const impossible = channels.find((name) => !isValidChannelName(name, limits.channelLength))
  return impossible && `${impossible} is not a valid channel name on this server`
}

export function moveTo(chat: Chat, key: UserKey, names: readonly string[]): string | undefined {
  const { state, settings } = chat
  const user = state.users.get(key)
  if (user === undefined) return undefined
  const wanted = names.filter((name) => whyNotIn(settings, [name]) === undefined)
  const meant = channelsMeant(state, user, wanted)
  for (const channel of Array.from(user.channels.keys())) {
    if (!meant.has(channel)) chat.propose({ kind: 'channel.parted', channel, user: key, reason: undefined })
  }
  const flags = settings.channelFlags
  for (const [channel, name] of meant) {
    if (user.channels.has(channel)) continue
    chat.propose({ kind: 'channel.joined', channel, name, user: key, ranks: ['v'], flags })
  }
  return whyNotIn(settings, names)
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

/** A bot stays in a renamed channel, and still finds it by the name that it joined, which its file has. */
export function channelOf(state: State, user: User, name: string): Channel | undefined {
  const key = channelKey(name)
  const channel = state.channels.get(key)
  if (channel !== undefined && membership(channel, user) !== undefined) return channel
  for (const each of user.channels.values()) if (membership(each, user)?.joinedAs === key) return each
  return channel
}
