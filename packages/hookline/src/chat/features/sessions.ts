// Several connections of one user: each joins what the user is in already, unnoticed by others.
import { OPER_MODES } from '../../irc/modes.ts'
import type { Chat } from '../chat.ts'
import { effect } from '../command.ts'
import type { SessionAttached, SessionDetached } from '../events.ts'
import { stays } from '../rules/attach.ts'
import type { Session } from '../session.ts'
import { mustGet, setUserModes, type User, type WritableUser } from '../state.ts'
import { updateAway } from './away.ts'
import { tellJoined } from './join.ts'
import { replayAtJoin } from './history/joinreplay.ts'
import { tellMissed } from './history/missed.ts'
import { welcome } from './registration.ts'
import { turnAwayIfBanned } from './serverban.ts'

export const sessionAttached = effect<SessionAttached, number | undefined>({
  /** Since when it had no connection. */
  apply(state, { user: key, session }) {
    const user = mustGet(state.users, key)
    const { goneAt } = user
    user.sessions.push(session)
    user.goneAt = undefined
    changeRosters(user)
    return goneAt
  },
  announce(chat, event, goneAt, entry) {
    const user = mustGet(chat.state.users, event.user)
    const session = chat.sessions.get(event.session)
    if (session === undefined) return
    chat.enter(session, user)
    welcome(chat, session, user)
    for (const channel of user.channels.values()) {
      // Without the msgid, which must be unique.
      tellJoined(chat, session, channel, user, { at: entry.at })
      // All that was said before, some of which may be stamped ahead of the time.
      replayAtJoin(chat, session, user, channel, chat.clock.next(channel.key))
    }
    if (goneAt !== undefined) tellMissed(chat, session, user, goneAt)
    updateAway(chat, user, session)
    // Whoever asked for another nick has this one now.
    turnAwayIfBanned(chat, session)
  },
})

export const sessionDetached = effect<SessionDetached>({
  apply(state, { user: key, session }, { at }) {
    const user = mustGet(state.users, key)
    user.sessions = user.sessions.filter((each) => each !== session)
    changeRosters(user)
    if (user.sessions.length === 0) {
      user.goneAt = at
      // Nobody is there to use it: whoever comes back must send OPER again.
      user.oper = undefined
      const modes = [...user.modes].filter((mode) => !OPER_MODES.includes(mode))
      setUserModes(state, user, modes)
    }
  },
  announce(chat, { user: key, reason }) {
    const user = mustGet(chat.state.users, key)
    // If one event closes several connections, none was the last when it went.
    if (isStranded(chat, user)) chat.propose({ kind: 'user.quit', user: key, reason })
    else updateAway(chat, user)
  },
})

/** For `apply`: the listeners of this user's channels have changed. */
function changeRosters(user: WritableUser): void {
  for (const channel of user.channels.values()) channel.version++
}

/** A connection is gone. With its last one the user quits, unless it stays without any. */
export function leave(chat: Chat, { id }: Session, user: User, reason: string): void {
  const isLast = user.sessions.every((each) => each === id)
  if (isLast && !stays(chat.settings, chat.state, user))
    chat.propose({ kind: 'user.quit', user: user.key, reason })
  else chat.propose({ kind: 'session.detached', user: user.key, session: id, reason })
}

/** Ends a user who has no connection and may no longer stay without one. */
export function quitIfStranded(chat: Chat, user: User): void {
  if (isStranded(chat, user))
    chat.propose({ kind: 'user.quit', user: user.key, reason: 'No longer always on' })
}

/** Without a connection, and not allowed to stay so. */
function isStranded(chat: Chat, user: User): boolean {
  return user.sessions.length === 0 && !stays(chat.settings, chat.state, user)
}

/** After the settings, and with them who may stay, have changed. */
export function quitAllStranded(chat: Chat): void {
  for (const user of chat.state.users.values()) if (user.account !== null) quitIfStranded(chat, user)
}
