// Virtual users, who have no connection: bots, and whoever speaks with `hookline send`. Channels cannot tell them from people.
import { isChannelName } from '../irc/names.ts'
import type { Refusable } from '../failure/refusal.ts'
import type { Chat } from './chat.ts'
import { type Draft, draft, publish, redact, sendable, type Speech, type Withdrawn } from './drafts.ts'
import { appear, channelOf, type NewVirtualUser, moveTo } from './virtualmoves.ts'
import { roomFor } from './output/line.ts'
import { answersFor } from './rules/account.ts'
import { findUser, maskOf, type State, type User, type UserKey } from './state.ts'

/** What the rooms above can do with them. */
export interface VirtualUsers {
  /** The time of the chat, in ms: it goes on if the machine's clock is set back. */
  now(): number
  /** Registers the nick and joins its channels. Refused when the nick is taken or is not a nick. */
  appear(wanted: NewVirtualUser): Refusable<{ user: UserKey }>
  /** Leaves with a QUIT, seen in its channels. */
  leave(user: UserKey, reason: string): void
  /**
   * Joins channels that it is not in (a kicked bot returns) and parts those not listed. Returns why it cannot be in one of
   * them, if it cannot.
   */
  moveTo(user: UserKey, channels: readonly string[]): string | undefined
  /** Gives it this real name. */
  describe(user: UserKey, realname: string): void
  /** Checks whether `user` may speak there now and stamps what it would say. Nothing is sent yet. A refusal names the target. */
  draft(user: UserKey, speech: Speech): Refusable<{ draft: Draft }>
  /** Sends a draft; false if its sender or target is gone. If its record is on disk already, history does not keep it again. */
  publish(draft: Draft): boolean
  /** Tells those who saw it that it was redacted, by `user` or by the server. Nobody is told if its target is gone. */
  redact(user: UserKey | undefined, withdrawn: Withdrawn): void
  /** A NOTICE from the server itself to one connected user; false when the nick is not present. */
  notice(nick: string, text: string, about?: About): boolean
  /** True when a person or agent with a connection has this nick; if it belongs to an account, one logged in to it. */
  isPresent(nick: string): boolean
  /** The current name of a channel that `user` knows by this name: a bot stays in a channel that is renamed. */
  nameOf(user: UserKey, channel: string): string
  /** Bytes that a line of `user` to `target` may carry after `PRIVMSG <target> :` so that it fits in 512. */
  room(user: UserKey, target: string): number
}

/** What a notice tells of. */
interface About {
  /** When it happened, in ms; by default now. */
  readonly at?: number
  /** The id of the delivery. */
  readonly delivery?: string | undefined
}

export function virtualUsers(chat: Chat): VirtualUsers {
  const { state, world } = chat
  return {
    now: () => world.now(),
    appear: (wanted) => appear(chat, wanted),
    leave(user, reason) {
      if (state.users.has(user)) chat.propose({ kind: 'user.quit', user, reason })
    },
    moveTo: (user, channels) => moveTo(chat, user, channels),
    describe(user, realname) {
      const known = state.users.get(user)?.realname ?? realname
      if (known !== realname) chat.propose({ kind: 'realname.changed', user, realname })
    },
    draft: (user, speech) => draft(chat, user, speech),
    publish: (made) => publish(chat, made),
    redact: (user, withdrawn) => redact(chat, user, withdrawn),
    notice: (nick, text, about = {}) => notice(chat, nick, text, about),
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

function notice(chat: Chat, nick: string, text: string, { at, delivery }: About): boolean {
  const user = present(chat.state, nick)
  if (user === undefined) return false
  const { world } = chat
  const params = [user.nick, sendable(text)]
  const line = chat.line({ command: 'NOTICE', params, at: at ?? world.now(), id: world.newId(), delivery })
  const sessions = chat.sessionsOf(user)
  for (const session of sessions) session.sendUnlabelled(line)
  return sessions.length > 0
}

function present(state: State, nick: string): User | undefined {
  const user = findUser(state, nick)
  return user !== undefined && user.sessions.length > 0 && answersFor(state, user) ? user : undefined
}
