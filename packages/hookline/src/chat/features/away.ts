// AWAY: not at the keyboard, and why. Each connection has its own; a user is away when all of its connections are, and when it has none.
// https://modern.ircdocs.horse/#away-message
import { CAPS } from '../../irc/caps.ts'
import * as numerics from '../../irc/numerics.ts'
import { cutText } from '../../irc/split.ts'
import type { Chat } from '../chat.ts'
import { type Command, effect } from '../command.ts'
import type { AwayChanged } from '../events.ts'
import type { Session } from '../session.ts'
import { mustGet, type User } from '../state.ts'

/** `AWAY *`: a client that connected on its own, as if it were not there. */
const ABSENT = '*'

export const AWAY: Command = {
  name: 'AWAY',
  minParams: 0,
  when: 'always',
  help: 'AWAY [:<message>]: marks you as away, or as back',
  run({ chat, user, session, reply }, { params: [message = ''] }) {
    // https://ircv3.net/specs/extensions/pre-away: those who negotiated it may send AWAY before registration.
    if (user === undefined && !session.has(CAPS['draft/pre-away'])) return reply(numerics.ERR_NOTREGISTERED)
    session.away = message === '' ? undefined : cutText(message, chat.settings.limits.awayLength)
    reply(session.away === undefined ? numerics.RPL_UNAWAY : numerics.RPL_NOWAWAY)
    if (user !== undefined) updateAway(chat, user, session)
  },
}

/** Also when a connection comes or goes. `by`: the one that has just sent AWAY. */
export function updateAway(chat: Chat, user: User, by?: Session): void {
  const sessions = chat.sessionsOf(user)
  // The others are closed, and detaching the last of them announces it.
  if (sessions.length < user.sessions.length) return
  const message = awayOf(sessions, [by?.away, user.away])
  if (message !== user.away) chat.propose({ kind: 'away.changed', user: user.key, message })
}

/** The away message of a user with these connections: the first of `wanted` that one of them has. Undefined while one is present. */
function awayOf(sessions: readonly Session[], wanted: readonly (string | undefined)[]): string | undefined {
  if (sessions.length === 0) return 'Not connected'
  const messages = sessions.map(({ away }) => away).filter((away) => away !== ABSENT)
  if (messages.length === 0) return 'Not here'
  if (messages.includes(undefined)) return undefined
  return wanted.find((each) => messages.includes(each)) ?? messages.at(-1)
}

export const awayChanged = effect<AwayChanged>({
  apply(state, { user, message }) {
    mustGet(state.users, user).away = message
  },
  announce(chat, { user: key, message }, _, entry) {
    const user = mustGet(chat.state.users, key)
    const line = chat.lineOf(user, entry, 'AWAY', message === undefined ? [] : [message])
    chat.toPeers(user.channels.values(), line, {
      except: user,
      cap: CAPS['away-notify'],
      also: chat.followers(user),
    })
  },
})
