// PASS: the server password, or an account's for clients without SASL.
// https://modern.ircdocs.horse/#pass-message
import * as numerics from '../../irc/numerics.ts'
import type { Verdict } from '../accounts.ts'
import type { Chat } from '../chat.ts'
import type { Command, Turn } from '../command.ts'
import type { Session } from '../session.ts'
import type { Passwords } from '../world.ts'
import { clientOf, logIn } from './login.ts'
import { countWrong } from './oper.ts'
import { capital } from './sasl.ts'

export const PASS: Command<Proved | undefined> = {
  name: 'PASS',
  minParams: 1,
  when: 'unregistered',
  help: 'PASS <password> | <account>:<password>: sends the server password or logs in to an account, before NICK and USER',
  prepare({ chat, session }, { params: words }) {
    // Clients send what is typed as it is: a password with spaces arrives in several parameters.
    const password = words.join(' ')
    const { passwordHash } = chat.settings
    const login = /^([^:]+):(.+)$/s.exec(password)
    if (passwordHash === undefined && login === null) return undefined
    return provePass({ chat, session }, password, login)
  },
  run(turn, _, { outcome, passwordHash, verdict } = NOTHING_PROVED) {
    const { chat, session } = turn
    if (outcome === 'busy' || outcome === 'late') return chat.close(session, CLOSED[outcome])
    if (outcome === 'right') {
      session.introduction.passwordHash = passwordHash
      session.wrongPasswords = 0
    }
    if (verdict?.ok) return logIn(turn, verdict)
    if (verdict !== undefined) turn.reply(numerics.ERR_PASSWDREFUSED, capital(verdict.text))
    if (chat.settings.passwordHash !== undefined && outcome !== 'right') countWrong(chat, session)
  },
}

/** Why a connection is closed whose password could not be checked. */
export const CLOSED = {
  busy: 'The server is busy: try again in a few seconds',
  late: 'Too many wrong passwords from your address: try again in a minute',
}

/** Whether the server has a password that this connection has not given. */
export function lacksPassword({ settings }: Chat, { introduction }: Session): boolean {
  return settings.passwordHash !== undefined && settings.passwordHash !== introduction.passwordHash
}

interface Proved {
  /** Of the server's password. */
  readonly outcome: Awaited<ReturnType<Passwords['compare']>>
  /** What it was compared with. */
  readonly passwordHash?: string | undefined
  readonly verdict: Verdict | undefined
}

const NOTHING_PROVED: Proved = { outcome: 'wrong', verdict: undefined }

/** `PASS <account>:<password>` logs in, for clients without SASL; the server password may contain a colon all the same. */
async function provePass(
  { chat, session }: Pick<Turn, 'chat' | 'session'>,
  password: string,
  login: RegExpExecArray | null,
): Promise<Proved> {
  const { passwordHash } = chat.settings
  const { address } = session
  const guess = { at: 'PASS', kind: 'shared', address, password } as const
  const outcome =
    passwordHash === undefined
      ? 'wrong'
      : await chat.world.passwords.compare({ ...guess, hash: passwordHash })
  if (outcome !== 'wrong') return { outcome, passwordHash, verdict: undefined }
  if (login === null) return NOTHING_PROVED
  const [, account = '', secret = ''] = login
  const verdict = await chat.world.accounts.check(account, secret, clientOf(session))
  return { outcome, verdict }
}
