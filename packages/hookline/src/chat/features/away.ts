// AWAY: not at the keyboard, and why. Each connection says it for itself; a user is away when all of them are.
// https://modern.ircdocs.horse/#away-message
import { CAP } from '../../irc/caps.ts'
import * as numerics from '../../irc/numerics.ts'
import { cutText } from '../../irc/split.ts'
import { type Command, happening } from '../command.ts'
import type { Session } from '../session.ts'
import { mustGet, type UserKey } from '../state.ts'

export type AwayChanged = { kind: 'away.changed'; user: UserKey; message: string | undefined }

export const AWAY: Command = {
  name: 'AWAY',
  minParams: 0,
  when: 'registered',
  help: 'AWAY [:<message>]: marks you as away, or as back',
  run({ chat, user, session, reply, propose }, { params: [message = ''] }) {
    session.away = message === '' ? undefined : cutText(message, chat.settings.limits.awayLength)
    reply(session.away === undefined ? numerics.RPL_UNAWAY : numerics.RPL_NOWAWAY)
    const all = awayOf(chat.sessionsOf(user))
    if (all !== user.away) propose({ kind: 'away.changed', user: user.key, message: all })
  },
}

/** What others are told of a user with these connections; undefined while one of them is present. */
export function awayOf(sessions: readonly Session[]): string | undefined {
  if (sessions.length === 0) return 'Not connected'
  const last = sessions.findLast(({ away }) => away !== undefined)
  return sessions.every(({ away }) => away !== undefined) ? last?.away : undefined
}

export const awayChanged = happening<AwayChanged>({
  apply(state, { user, message }) {
    mustGet(state.users, user).away = message
  },
  announce(chat, { user: key, message }, _, entry) {
    const user = mustGet(chat.state.users, key)
    const line = chat.lineOf(user, entry, 'AWAY', message === undefined ? [] : [message])
    chat.toPeers(user.channels.values(), line, {
      except: user,
      cap: CAP['away-notify'],
      also: chat.followers(user),
    })
  },
})
