// Several connections of one user: each comes into what the user is in already, and others do not notice.
import { happening } from '../command.ts'
import { stays } from '../rules/attach.ts'
import type { Session } from '../session.ts'
import type { Chat } from '../spine.ts'
import {
  mustGet,
  type SessionId,
  setUserModes,
  type User,
  type UserKey,
  type WritableUser,
} from '../state.ts'
import { updateAway } from './away.ts'
import { tellJoined } from './join.ts'
import { replayAtJoin } from './playback.ts'
import { welcome } from './registration.ts'

export type SessionAttached = { kind: 'session.attached'; user: UserKey; session: SessionId }

/** Not its last connection when it went, or the user stays without one. */
export type SessionDetached = {
  kind: 'session.detached'
  user: UserKey
  session: SessionId
  /** Why it went. */
  reason: string
}

export const sessionAttached = happening<SessionAttached>({
  apply(state, { user: key, session }) {
    const user = mustGet(state.users, key)
    user.sessions.push(session)
    changeRosters(user)
  },
  announce(chat, event, _, entry) {
    const user = mustGet(chat.state.users, event.user)
    const session = chat.sessions.get(event.session)
    if (session === undefined) return
    chat.enter(session, user)
    welcome(chat, session, user)
    for (const channel of user.channels.values()) {
      // Without the msgid, for no two messages have the same.
      tellJoined(chat, session, channel, user, entry, { id: undefined })
      replayAtJoin(chat, session, user, channel, entry.at)
    }
    updateAway(chat, user, session)
  },
})

export const sessionDetached = happening<SessionDetached>({
  apply(state, { user: key, session }) {
    const user = mustGet(state.users, key)
    user.sessions = user.sessions.filter((each) => each !== session)
    changeRosters(user)
    // Nobody is there to use it: whoever comes back proves it again.
    if (user.sessions.length === 0) {
      user.oper = undefined
      setUserModes(
        state,
        user,
        [...user.modes].filter((mode) => mode !== 'o'),
      )
    }
  },
  announce(chat, { user: key, reason }) {
    const user = mustGet(chat.state.users, key)
    // Of several that one event closes none is the last when it goes.
    if (isLeft(chat, user)) chat.propose({ kind: 'user.quit', user: key, reason })
    else updateAway(chat, user)
  },
})

/** For `apply`: who hears the channels of this user has changed. */
function changeRosters(user: WritableUser): void {
  for (const channel of user.channels.values()) channel.version++
}

/** A connection is gone. With its last one the user goes too, unless it stays without any. */
export function leave(chat: Chat, { id }: Session, user: User, reason: string): void {
  const isLast = user.sessions.every((each) => each === id)
  if (isLast && !stays(chat.settings, chat.state, user))
    chat.propose({ kind: 'user.quit', user: user.key, reason })
  else chat.propose({ kind: 'session.detached', user: user.key, session: id, reason })
}

/** Ends a user who was here without a connection and may not stay so any more. */
export function leaveIfAlone(chat: Chat, user: User): void {
  if (isLeft(chat, user)) chat.propose({ kind: 'user.quit', user: user.key, reason: 'No longer always on' })
}

/** Without a connection, though it may not stay so. */
function isLeft(chat: Chat, user: User): boolean {
  return user.sessions.length === 0 && !stays(chat.settings, chat.state, user)
}

/** After the settings have changed, and with them who may stay. */
export function leaveAllAlone(chat: Chat): void {
  for (const user of chat.state.users.values()) if (user.account !== null) leaveIfAlone(chat, user)
}
