// NickServ: accounts, as a service. It does what REGISTER and AUTHENTICATE do.
import { joinInLines } from '../../../irc/split.ts'
import { formatMinute, formatUntil } from '../../../irc/time.ts'
import type { Changed, Created, Shown, Suspension, Verdict } from '../../accounts.ts'
import { CLOSE_OTHERS, refusesLogin } from '../../rules/account.ts'
import { mayUse } from '../../rules/oper.ts'
import { isFounder } from '../../rules/register.ts'
import { maySeeChannel } from '../../rules/see.ts'
import { confirmation, type Service, type Verb } from '../../service.ts'
import { type Account, accountOf, findAccount, type State, type User } from '../../state.ts'
import { clientOf, logIn } from '../login.ts'
import { SADROP, SAPASSWD, SAREGISTER, SUSPEND, UNSUSPEND } from './nickservadmin.ts'
import { GHOST, RECOVER } from './nickservghost.ts'
import { CERT, TOKEN } from './nickservproofs.ts'
import { SET } from './nickservset.ts'
import { LOST, makeAccount, refusal } from '../register.ts'

const REGISTER: Verb<Created | undefined> = {
  name: 'REGISTER',
  usage: 'REGISTER <password> [<email>]',
  help: 'registers an account named after your nick',
  minWords: 1,
  maxWords: 2,
  prepare: (turn, [password = '', email = null]) => makeAccount(turn, '*', password, email),
  run(turn, _, created) {
    if (created === undefined) {
      const [, , why] = refusal(turn, '*') ?? LOST
      return turn.tell(why)
    }
    if (!created.ok) return turn.tell(created.text)
    turn.tell(`${created.account} is now registered, and you are logged in to it`)
    logIn(turn, created)
  },
}

const IDENTIFY: Verb<Verdict> = {
  name: 'IDENTIFY',
  usage: 'IDENTIFY [<account>] <password>',
  help: 'logs you in; without <account>, to the one named after your nick',
  minWords: 1,
  prepare({ chat, user, session }, [first = '', ...rest]) {
    const [name, password] = rest.length === 0 ? [user.nick, first] : [first, rest.join(' ')]
    return chat.world.accounts.check(name, password, clientOf(session))
  },
  run(turn, _, verdict) {
    if (!verdict.ok) return turn.tell(`Login failed: ${verdict.text}${standing(turn.user)}`)
    if (refusesLogin(turn.user, verdict.account)) return turn.tell(CLOSE_OTHERS)
    logIn(turn, verdict)
    turn.tell(`You are logged in as ${verdict.account}`)
  },
}

function standing({ account }: User): string {
  return account === null ? '' : `. You are still logged in as ${account}`
}

const LOGOUT: Verb = {
  name: 'LOGOUT',
  usage: 'LOGOUT',
  help: 'logs you out, on all your connections',
  minWords: 0,
  needsAccount: true,
  run(turn) {
    turn.tell(`You are no longer logged in as ${turn.user.account}`)
    logIn(turn, { account: null })
  },
}

const INFO: Verb<Changed<{ account: Shown }> | undefined> = {
  name: 'INFO',
  usage: 'INFO [<account>]',
  help: 'shows when an account was registered, and all details of your own, such as its channels',
  minWords: 0,
  prepare({ chat, state, user }, [name]) {
    const mine = accountOf(state, user)
    const account = name === undefined ? mine : findAccount(state, name)
    const isSeen = account !== undefined && (account === mine || mayUse(user, 'accounts'))
    return isSeen ? chat.world.accounts.show(account.name) : undefined
  },
  run({ state, user, tell }, [name], shown) {
    const wanted = name ?? user.account
    if (wanted === null) return tell('You are not logged in')
    const account = findAccount(state, wanted)
    if (account === undefined) return tell('No such account')
    tell(`${account.name} was registered at ${new Date(account.createdAt).toISOString()}`)
    if (shown === undefined) return
    if (!shown.ok) return tell(shown.text)
    const { suspension } = shown.account
    if (suspension !== null) tell(why(suspension))
    tell(about(shown.account))
    for (const names of joinInLines(channelsOf(state, account, user), ' ', LIST_BYTES))
      tell(`It is the founder of ${names}`)
  },
}

function why({ by, at, reason, until }: Suspension): string {
  return `It has been suspended since ${formatMinute(at)}${formatUntil(until)}, by ${by}${reason === '' ? '' : `: ${reason}`}`
}

const LIST_BYTES = 300

/** Those that it founded, as far as `viewer` may know of them: its own user of all. */
function channelsOf({ channels }: State, { key }: Account, viewer: User): string[] {
  return [...channels.values()]
    .filter((channel) => channel.registration?.founder === key)
    .filter((channel) => isFounder(channel, viewer) || maySeeChannel(channel, viewer))
    .map(({ name }) => name)
    .toSorted()
}

function about({ email, password, tokens, certificates }: Shown): string {
  const proofs = [
    password === null ? 'no password' : 'a password',
    `${tokens.length} token${tokens.length === 1 ? '' : 's'}`,
    `${certificates.length} certificate${certificates.length === 1 ? '' : 's'}`,
  ]
  return `It has ${proofs.join(', ')}; email: ${email ?? 'none'}`
}

const DROP: Verb<Changed | undefined> = {
  name: 'DROP',
  usage: 'DROP [<code>]',
  help: 'deletes your account; you first get a code to confirm it with',
  minWords: 0,
  needsAccount: true,
  refusesTokens: () => true,
  prepare({ chat, state, user }, [code]) {
    const mine = accountOf(state, user)
    if (mine === undefined || code !== confirmation(mine.createdAt)) return undefined
    return chat.world.accounts.drop(mine.name)
  },
  run({ state, user, tell }, _, dropped) {
    if (dropped !== undefined) return tell(dropped.ok ? 'Your account has been deleted' : dropped.text)
    const mine = accountOf(state, user)
    if (mine !== undefined)
      tell(`This cannot be undone. To confirm: /msg NickServ DROP ${confirmation(mine.createdAt)}`)
  },
}

const verbs = [
  REGISTER,
  IDENTIFY,
  LOGOUT,
  INFO,
  SET,
  TOKEN,
  CERT,
  GHOST,
  RECOVER,
  DROP,
  SAREGISTER,
  SAPASSWD,
  SADROP,
  SUSPEND,
  UNSUSPEND,
]

export const NICKSERV: Service = {
  nick: 'NickServ',
  about: 'NickServ manages accounts. With an account, your nick stays yours even while you are offline.',
  verbs: new Map(verbs.map((verb) => [verb.name, verb])),
}
