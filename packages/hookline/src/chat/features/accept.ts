// ACCEPT: users that a user with +R hears although they are not logged in. An entry ends when either of the two quits.
// https://github.com/ergochat/ergo/blob/stable/docs/USERGUIDE.md, and for the answers
// https://github.com/solanum-ircd/solanum/blob/main/doc/features/modeg.txt
import * as numerics from '../../irc/numerics.ts'
import { type Command, effect, type UserTurn } from '../command.ts'
import type { Accepted } from '../events.ts'
import { findUser, type UserKey, type WritableState } from '../state.ts'

export const ACCEPT: Command = {
  name: 'ACCEPT',
  minParams: 0,
  when: 'registered',
  help: 'ACCEPT <nick>{,<nick>} | -<nick> | *: lets users message you despite your mode +R; -<nick> removes one, * lists them',
  run(turn, { params: [list = '*'] }) {
    for (const each of list.split(',')) {
      if (each === '*') showAccepted(turn)
      else change(turn, each)
    }
  },
}

function showAccepted({ state, user, reply }: UserTurn): void {
  for (const key of state.accepts.get(user.key) ?? [])
    reply(numerics.RPL_ACCEPTLIST, state.users.get(key)?.nick ?? '*')
  reply(numerics.RPL_ENDOFACCEPT)
}

/** `typed` is a nick to accept, or `-` before one to remove. */
function change({ state, user, reply, fail, propose }: UserTurn, typed: string): void {
  const isAccepted = !typed.startsWith('-')
  const other = findUser(state, isAccepted ? typed : typed.slice(1))
  if (other === undefined) return fail('INVALID_USER', [typed], 'No such user')
  const wasAccepted = state.accepts.get(user.key)?.has(other.key) ?? false
  if (isAccepted === wasAccepted)
    return reply(isAccepted ? numerics.ERR_ACCEPTEXIST : numerics.ERR_ACCEPTNOT, other.nick)

  propose({ kind: 'user.accepted', user: user.key, other: other.key, isAccepted })
}

export const userAccepted = effect<Accepted>({
  apply(state, { user, other, isAccepted }) {
    if (isAccepted) accept(state, user, other)
    else state.accepts.get(user)?.delete(other)
  },
  announce() {
    // Nobody is told whose messages somebody wants to read.
  },
})

/** For `apply`. Bounded by the users here: those who quit are removed. */
export function accept(state: WritableState, user: UserKey, other: UserKey): void {
  const accepted = state.accepts.get(user)
  if (accepted === undefined) state.accepts.set(user, new Set([other]))
  else accepted.add(other)
}

/** For `apply`, when a user quits. */
export function forgetAccepts(state: WritableState, user: UserKey): void {
  state.accepts.delete(user)
  for (const accepted of state.accepts.values()) accepted.delete(user)
}
