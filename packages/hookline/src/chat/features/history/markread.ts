// MARKREAD: how far somebody has read, told to all of their connections and to nobody else.
// https://ircv3.net/specs/extensions/read-marker
import { CAPS } from '../../../irc/caps.ts'
import { accountKey, fold, isChannelName, TARGET_BYTES } from '../../../irc/names.ts'
import * as numerics from '../../../irc/numerics.ts'
import { byteLength } from '../../../irc/split.ts'
import { formatTime, parseTime } from '../../../irc/time.ts'
import type { Chat } from '../../chat.ts'
import { type Command, effect } from '../../command.ts'
import type { ReadMarked } from '../../events.ts'
import type { Line } from '../../output/line.ts'
import { findVisible } from '../../rules/see.ts'
import type { Session } from '../../session.ts'
import { findUser, type State, type User, type WritableState } from '../../state.ts'

/** Per owner; beyond it the marker that was moved longest ago is dropped. */
export const MOST_MARKERS = 1_000

export const MARKREAD: Command = {
  name: 'MARKREAD',
  minParams: 0,
  when: 'registered',
  help: 'MARKREAD <target> [timestamp=…]: shows or sets how far you have read',
  run(turn, { params: [target = '', typed] }) {
    const { chat, session, state, user, fail, reply, propose } = turn
    if (!session.has(CAPS['draft/read-marker'])) return reply(numerics.ERR_UNKNOWNCOMMAND, 'MARKREAD')
    if (target === '') return fail('NEED_MORE_PARAMS', [], 'Missing parameters')
    if (!/^[^:\s]\S*$/.test(target) || byteLength(target) > TARGET_BYTES)
      return fail('INVALID_PARAMS', [target], 'No such target')
    const known = markerOf(state, user, target)
    if (typed === undefined) return session.send(markerLine(chat, user, target, known))
    const time = typed.startsWith('timestamp=') ? parseTime(typed.slice('timestamp='.length)) : undefined
    if (time === undefined) return fail('INVALID_PARAMS', [target, typed], 'Not a valid timestamp')
    // "clamp it between the last read timestamp and the current time"
    const at = Math.min(time, chat.clock.latest)
    if (known !== undefined && at <= known) return session.send(markerLine(chat, user, target, known))

    propose({ kind: 'read.marked', owner: ownerOf(user), markers: [[fold(target), at]] })
  },
}

export const readMarked = effect<ReadMarked>({
  apply(state, { owner, markers }) {
    let kept = state.readMarkers.get(owner)
    if (kept === undefined) state.readMarkers.set(owner, (kept = new Map()))
    for (const [target, time] of markers) {
      kept.delete(target)
      kept.set(target, time)
    }
    for (const target of kept.keys()) {
      if (kept.size <= MOST_MARKERS) break
      kept.delete(target)
    }
  },
  announce(chat, { owner, markers }) {
    for (const [target, time] of markers)
      for (const user of usersOf(chat.state, owner))
        chat.toUser(user, markerLine(chat, user, target, time), CAPS['draft/read-marker'])
  },
})

/** For `apply`: the owner is gone. */
export function forgetMarkers(state: WritableState, owner: string): void {
  state.readMarkers.delete(owner)
}

/** "after the server sends a server JOIN command to the client …, the server MUST send a MARKREAD command" */
export function tellMarker(chat: Chat, session: Session, user: User, channel: string): void {
  if (session.has(CAPS['draft/read-marker']))
    session.send(markerLine(chat, user, channel, markerOf(chat.state, user, channel)))
}

function markerOf(state: State, user: User, target: string): number | undefined {
  return state.readMarkers.get(ownerOf(user))?.get(fold(target))
}

/** Those who are logged in find their markers again, on any connection. */
function ownerOf({ key, account }: Pick<User, 'key' | 'account'>): string {
  return account === null ? key : `@${accountKey(account)}`
}

function* usersOf(state: State, owner: string): Iterable<User> {
  if (owner.startsWith('@')) yield* state.accounts.get(accountKey(owner.slice(1)))?.users ?? []
  else {
    const user = state.users.get(owner as User['key'])
    if (user !== undefined) yield user
  }
}

function markerLine(chat: Chat, viewer: User, target: string, time: number | undefined): Line {
  const name = isChannelName(target)
    ? findVisible(chat.state, viewer, target)?.name
    : findUser(chat.state, target)?.nick
  const params = [name ?? target, time === undefined ? '*' : `timestamp=${formatTime(time)}`]
  return chat.line({ command: 'MARKREAD', params, at: chat.world.now() })
}
