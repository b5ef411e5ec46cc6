// Which server a command means: there is only this one.
import { fold, matchesMask } from '../../irc/names.ts'
import * as numerics from '../../irc/numerics.ts'
import type { UserTurn } from '../command.ts'
import { findUser } from '../state.ts'

/** True if no server is named, or this one, or one of its users; else it answers 402. */
export function namesThisServer({ chat, state, reply }: UserTurn, server: string | undefined): boolean {
  if (server === undefined || server === '') return true
  if (matchesMask(fold(server), fold(chat.settings.name)) || findUser(state, server) !== undefined)
    return true
  reply(numerics.ERR_NOSUCHSERVER, server)
  return false
}
