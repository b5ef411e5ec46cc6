// MODE on oneself. An operator's `o` can only be given up.
import {
  formatModes,
  isUserMode,
  type ModeChange,
  OPER_MODES,
  parseModes,
  type UserMode,
} from '../../../irc/modes.ts'
import * as numerics from '../../../irc/numerics.ts'
import { effect, type UserTurn } from '../../command.ts'
import type { UserModesChanged } from '../../events.ts'
import { findUser, mustGet, setUserModes, type User } from '../../state.ts'

export function changeOwnModes(
  { state, user, reply, propose }: UserTurn,
  nick: string,
  letters: string | undefined,
): void {
  const target = findUser(state, nick)
  if (target === undefined) return reply(numerics.ERR_NOSUCHNICK, nick)
  if (target.key !== user.key) return reply(numerics.ERR_USERSDONTMATCH)
  if (letters === undefined) return reply(numerics.RPL_UMODEIS, `+${[...user.modes].join('')}`)

  // If a mode is named twice, the last change counts.
  const changes = new Map<UserMode, ModeChange<UserMode>>()
  const asked = parseModes(letters)
  for (const { sign, mode } of asked) {
    if (!isUserMode(mode)) continue
    changes.delete(mode)
    if (user.modes.has(mode) !== (sign === '+') && !(sign === '+' && refuses(user, mode)))
      changes.set(mode, { sign, mode })
  }
  if (changes.has('o')) {
    changes.delete('s')
    for (const change of withoutOper(user)) changes.set(change.mode, change)
  }
  if (changes.size > 0) propose({ kind: 'user.modes', user: user.key, changes: [...changes.values()] })
  if (asked.some(({ mode }) => !isUserMode(mode))) reply(numerics.ERR_UMODEUNKNOWNFLAG)
}

/** What only OPER gives, and what only operators may hear. */
function refuses({ oper }: User, mode: UserMode): boolean {
  return mode === 'o' || (mode === 's' && oper === undefined)
}

/** Ends an operator's powers, and what comes with them. */
export function withoutOper({ modes }: User): readonly ModeChange<UserMode>[] {
  return OPER_MODES.filter((mode) => modes.has(mode)).map((mode) => ({ sign: '-', mode }))
}

export const userModesChanged = effect<UserModesChanged>({
  apply(state, event) {
    const user = mustGet(state.users, event.user)
    const modes = new Set(user.modes)
    for (const { sign, mode } of event.changes) {
      if (sign === '+') modes.add(mode)
      else modes.delete(mode)
      if (mode === 'o' && sign === '-') user.oper = undefined
    }
    setUserModes(state, user, modes)
  },
  announce(chat, event, _, entry) {
    const user = mustGet(chat.state.users, event.user)
    chat.toUser(user, chat.lineOf(user, entry, 'MODE', [user.nick, ...formatModes(event.changes)]))
  },
})
