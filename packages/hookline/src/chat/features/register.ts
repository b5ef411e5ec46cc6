// REGISTER and VERIFY: making an account. No mail is sent, so nothing needs to be verified.
// https://ircv3.net/specs/extensions/account-registration
import { fold } from '../../irc/names.ts'
import type { Created } from '../accounts.ts'
import type { Command, Failure, Turn } from '../command.ts'
import { CLOSE_OTHERS, refusesAccountName, refusesLogin } from '../rules/account.ts'
import { clientOf, logIn } from './login.ts'
import { lacksPassword } from './pass.ts'

export const REGISTER: Command<Created | undefined> = {
  name: 'REGISTER',
  minParams: 3,
  when: 'always',
  help: 'REGISTER <account>|* <email>|* <password>: registers an account; * means your nick, or no address',
  prepare(turn, { params: [asked = '*', email = '*', ...words] }) {
    // Clients send what is typed as it is: a password with spaces arrives in several parameters.
    return makeAccount(turn, asked, words.join(' '), email === '*' ? null : email)
  },
  run(turn, { params: [asked = '*'] }, created) {
    if (created === undefined) return turn.fail(...(refusal(turn, asked) ?? LOST))
    if (!created.ok) return turn.fail(CODES[created.reason], [nickFor(turn, asked)], created.text)
    const { chat, session } = turn
    const { account } = created
    session.send(
      chat.line({ command: 'REGISTER', params: ['SUCCESS', account, 'Account successfully registered'] }),
    )
    logIn(turn, { account })
  },
}

export const VERIFY: Command = {
  name: 'VERIFY',
  minParams: 2,
  when: 'always',
  help: 'VERIFY <account> <code>: confirms a registration with a code; never needed on this server',
  run(turn, { params: [account = '*'] }) {
    const needless = 'No code is needed: accounts are ready as soon as they are registered'
    const refused = tooEarly(turn, account) ?? alreadyLoggedIn(turn, account)
    turn.fail(...(refused ?? failure('INVALID_CODE', account, needless)))
  },
}

/** Undefined if it is refused without trying. */
export function makeAccount(
  turn: Turn,
  asked: string,
  password: string,
  email: string | null,
): Promise<Created> | undefined {
  const { chat, session } = turn
  if (refusal(turn, asked) !== undefined) return undefined
  const account = { name: nickFor(turn, asked), password, email }
  return chat.world.accounts.create(account, clientOf(session))
}

/** What can be refused without asking the account store. `asked` may be `*`. */
export function refusal(turn: Turn, asked: string): Failure | undefined {
  const { chat, user, session } = turn
  const { registration } = chat.settings.accounts
  const wanted = nickFor(turn, asked)
  if (!registration.isEnabled)
    return failure(
      'TEMPORARILY_UNAVAILABLE',
      wanted,
      'Only the operators of this server can register accounts',
    )
  const refused = tooEarly(turn, wanted) ?? alreadyLoggedIn(turn, wanted)
  if (refused !== undefined) return refused
  if (refusesLogin(user, wanted)) return failure('TEMPORARILY_UNAVAILABLE', wanted, CLOSE_OTHERS)
  const nick = nickOf(turn)
  if (nick === undefined) return failure('NEED_NICK', '*', 'Send NICK first')
  // "this functionality cannot be used to bypass any authentication restrictions"
  if (user === undefined && lacksPassword(chat, session))
    return failure('TEMPORARILY_UNAVAILABLE', wanted, 'Send the server password first: PASS')
  if (!registration.allowsOtherNames && fold(wanted) !== fold(nick))
    return failure('ACCOUNT_NAME_MUST_BE_NICK', wanted, 'The account name must be your nick')
  const named = refusesAccountName(chat, wanted, user)
  return (
    named &&
    failure(named.isReserved || named.isForBots ? 'BAD_ACCOUNT_NAME' : 'ACCOUNT_EXISTS', wanted, named.text)
  )
}

function tooEarly({ chat, user }: Turn, account: string): Failure | undefined {
  if (user !== undefined || chat.settings.accounts.registration.isBeforeConnect) return undefined
  return failure('COMPLETE_CONNECTION_REQUIRED', account, 'Complete the connection registration first')
}

function alreadyLoggedIn({ user, session }: Turn, account: string): Failure | undefined {
  const mine = user === undefined ? session.introduction.account : user.account
  return mine === null ? undefined : failure('ALREADY_AUTHENTICATED', account, `You are logged in as ${mine}`)
}

const CODES: Readonly<Record<Exclude<Created, { ok: true }>['reason'], string>> = {
  exists: 'ACCOUNT_EXISTS',
  name: 'BAD_ACCOUNT_NAME',
  weak: 'WEAK_PASSWORD',
  password: 'UNACCEPTABLE_PASSWORD',
  email: 'INVALID_EMAIL',
  later: 'TEMPORARILY_UNAVAILABLE',
}

function failure(code: string, context: string, text: string): Failure {
  return [code, [context], text]
}

/** Never sent: `makeAccount` answers undefined only if `refusal` has a reason, which is asked for again at once. */
export const LOST = failure('TEMPORARILY_UNAVAILABLE', '*', 'The account could not be registered: try again')

/** Before registration: the nick that it asked for, even if taken. */
function nickOf({ user, session }: Turn): string | undefined {
  return user?.nick ?? session.introduction.wantedNick
}

function nickFor(turn: Turn, asked: string): string {
  return asked === '*' ? (nickOf(turn) ?? '*') : asked
}
