// OPER: becoming a server operator.
import * as numerics from '../../irc/numerics.ts'
import { audit } from '../audit.ts'
import type { Chat } from '../chat.ts'
import { type Command, effect } from '../command.ts'
import type { OperMade } from '../events.ts'
import type { Session } from '../session.ts'
import type { OperBlock } from '../settings.ts'
import { mustGet, setUserModes } from '../state.ts'
import type { Passwords } from '../world.ts'
import { withoutOper } from './mode/usermode.ts'

/** Which hash the password was compared with: a reload may have changed the settings since. */
interface Compared {
  readonly hash: string
  readonly outcome: 'right' | 'wrong' | 'busy' | 'late'
}

export const OPER: Command<Compared | undefined> = {
  name: 'OPER',
  minParams: 2,
  when: 'registered',
  help: 'OPER <name> <password>: makes you a server operator',
  prepare({ chat, session }, { params: [name = '', ...words] }) {
    // A name that no operator has takes as long, and is answered the same.
    const named = blockOf(chat, name)
    const block = named ?? chat.settings.opers[0]
    // Clients send what is typed as it is: a password with spaces arrives in several parameters.
    const guess = {
      at: `OPER ${name}`,
      kind: 'own',
      address: session.address,
      password: words.join(' '),
    } as const
    return block && compare(chat, { ...guess, hash: block.passwordHash, isDecoy: named === undefined })
  },
  run(turn, { params: [name = ''] }, compared) {
    const { chat, session, user, reply, propose } = turn
    const block = blockOf(chat, name)
    if (compared?.outcome === 'busy') return reply(numerics.RPL_TRYAGAIN, 'OPER')
    if (compared?.outcome === 'late') {
      audit(turn, { command: 'OPER', about: block?.name, isRefused: true, isLate: true })
      reply(numerics.RPL_TRYAGAIN, 'OPER')
      return countWrong(chat, session)
    }
    if (block === undefined || compared?.outcome !== 'right' || compared.hash !== block.passwordHash) {
      audit(turn, { command: 'OPER', about: block?.name, isRefused: true })
      reply(numerics.ERR_PASSWDMISMATCH)
      return countWrong(chat, session)
    }
    session.wrongPasswords = 0

    propose({ kind: 'oper.made', user: user.key, name, title: block.title, privileges: block.privileges })
    audit(turn, { command: 'OPER', about: name })
  },
}

async function compare({ world }: Chat, guess: Parameters<Passwords['compare']>[0]): Promise<Compared> {
  return { hash: guess.hash, outcome: await world.passwords.compare(guess) }
}

function blockOf({ settings }: Chat, name: string): OperBlock | undefined {
  return settings.opers.find((each) => each.name === name)
}

/** After a few in a row the connection is closed; how often one may connect is limited as well. */
export function countWrong(chat: Chat, session: Session): void {
  if (++session.wrongPasswords >= MOST_WRONG) chat.close(session, 'Too many wrong passwords')
}
const MOST_WRONG = 5

export const operMade = effect<OperMade>({
  apply(state, { user: key, name, title, privileges }) {
    const user = mustGet(state.users, key)
    user.oper = { name, title, privileges }
    setUserModes(state, user, [...user.modes, 'o'])
  },
  announce(chat, event, _, entry) {
    const user = mustGet(chat.state.users, event.user)
    const session = chat.originOf(entry)
    if (session !== undefined) chat.reply(session, numerics.RPL_YOUREOPER)
    chat.toUser(user, chat.lineOf(user, entry, 'MODE', [user.nick, '+o']))
  },
})

/** After a reload: an operator whose block in the settings has changed must send OPER again. */
export function endOldOpers(chat: Chat, before: readonly OperBlock[]): void {
  const said = (opers: readonly OperBlock[], name: string) =>
    JSON.stringify(opers.find((each) => each.name === name))
  for (const user of chat.state.users.values()) {
    const { key, oper } = user
    if (oper === undefined || said(before, oper.name) === said(chat.settings.opers, oper.name)) continue
    chat.propose({ kind: 'user.modes', user: key, changes: withoutOper(user) })
  }
}
