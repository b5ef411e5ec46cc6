// Who may take a nick.
import { isNick, nickKey } from '../../irc/names.ts'
import * as numerics from '../../irc/numerics.ts'
import type { Chat } from '../chat.ts'
import { isServiceNick } from '../service.ts'
import { type Channel, findUser, type User } from '../state.ts'
import { belongsToAnother, isForBots } from './account.ts'
import { looksLike } from './lookalike.ts'
import { silenceIn } from './speak.ts'

/** The numeric that refuses, or undefined if `user`, or a new one logged in to `account`, may have this nick. */
export function refusesNick(
  chat: Chat,
  nick: string,
  user: User | undefined,
  account: string | null = user?.account ?? null,
): numerics.Numeric | undefined {
  if (!isNick(nick, chat.settings.limits.nickLength)) return numerics.ERR_ERRONEUSNICKNAME
  const holder = findUser(chat.state, nick)
  if (isServiceNick(nick) || (holder !== undefined && holder.key !== user?.key))
    return numerics.ERR_NICKNAMEINUSE
  // The server's own messages come from its name.
  if (nickKey(nick) === nickKey(chat.settings.name)) return numerics.ERR_NICKNAMEINUSE
  // Also while the bot is stopped: whoever had its nick could speak as it, and keep it from starting.
  if (chat.world.isBotName?.(nick)) return numerics.ERR_NICKNAMEINUSE
  if (looksLike(chat, nick, { user, account }) !== undefined) return numerics.ERR_NICKNAMELIKE
  if (isForBots(chat, nick, account)) return numerics.ERR_NICKNAMEOFBOTS
  const isReserved = chat.settings.accounts.protectsNicks && belongsToAnother(chat.state, nick, account)
  return isReserved ? numerics.ERR_NICKNAMERESERVED : undefined
}

/** The same for a connection that may still log in: until then, what belongs to an account may turn out to be its own. */
export function refusesWish(chat: Chat, nick: string): numerics.Numeric | undefined {
  const holder = findUser(chat.state, nick)
  const refusal = refusesNick(chat, nick, undefined)
  const mayBeItsOwn =
    refusal === numerics.ERR_NICKNAMEINUSE && holder !== undefined && holder.account !== null
  const mayProve = refusal === numerics.ERR_NICKNAMERESERVED || refusal === numerics.ERR_NICKNAMEOFBOTS
  return mayProve || mayBeItsOwn ? undefined : refusal
}

/** A channel in which the user is banned or muted, and so may not take another nick, which might not match. */
export function channelHoldingNick(user: User, nick: string): Channel | undefined {
  if (nickKey(nick) === nickKey(user.nick)) return undefined
  return user.channels.values().find((channel) => silenceIn(channel, user) !== undefined)
}
