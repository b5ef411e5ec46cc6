// ChanServ: registered channels, as a service.
import { isRank, PREFIX, type Rank, RANKS } from '../../irc/modes.ts'
import { type AccountKey, accountKey } from '../../irc/names.ts'
import { isFounder, mayGrant, refusesRegistration, refusesTransfer } from '../rules/register.ts'
import { findVisible } from '../rules/see.ts'
import { confirmation, type Service, type ServiceTurn, type Verb } from '../service.ts'
import { type Account, type Channel, findAccount, membership } from '../state.ts'

const REGISTER: Verb = {
  name: 'REGISTER',
  usage: 'REGISTER <#channel>',
  help: 'makes a channel yours: it stays when nobody is in it, and you run it whenever you come',
  minWords: 1,
  needsAccount: true,
  run(turn, [name = '']) {
    const { chat, state, user, tell, propose } = turn
    const channel = findVisible(state, user, name)
    if (channel === undefined) return tell(`There is no channel ${shown(name)}: join it first`)
    const refused = refusesRegistration(chat.settings, state, channel, user)
    if (refused !== undefined) return tell(refused)
    propose({ kind: 'channel.registered', channel: channel.key, founder: accountKey(user.account ?? '') })
    tell(`${channel.name} is yours now`)
  },
}

const UNREGISTER: Verb = {
  name: 'UNREGISTER',
  usage: 'UNREGISTER <#channel> [<code>]',
  help: 'gives a channel up; the first time it answers with a code to repeat',
  minWords: 1,
  needsAccount: true,
  run(turn, [name = '', code]) {
    const channel = ownChannel(turn, name)
    if (channel === undefined || !isConfirmed(turn, channel, 'UNREGISTER', code)) return
    turn.propose({ kind: 'channel.unregistered', channel: channel.key })
    turn.tell(`${channel.name} is nobody's now`)
  },
}

const TRANSFER: Verb = {
  name: 'TRANSFER',
  usage: 'TRANSFER <#channel> <account> [<code>]',
  help: 'gives a channel to another account; the first time it answers with a code to repeat',
  minWords: 2,
  needsAccount: true,
  run(turn, [name = '', to = '', code]) {
    const channel = ownChannel(turn, name)
    const account = channel && knownAccount(turn, to)
    if (channel === undefined || account === undefined) return
    const refused = refusesTransfer(turn.chat.settings, turn.state, account, turn.user)
    if (refused !== undefined) return turn.tell(refused)
    if (!isConfirmed(turn, channel, 'TRANSFER', code, account.name)) return
    turn.propose({ kind: 'channel.registered', channel: channel.key, founder: account.key })
    turn.tell(`${channel.name} belongs to ${account.name} now`)
  },
}

const ACCESS: Verb = {
  name: 'ACCESS',
  usage: 'ACCESS <#channel> [LIST | ADD <account> <q|a|o|h|v> | DEL <account>]',
  help: 'who gets which rank when they join, by account',
  minWords: 1,
  run(turn, [name = '', action = 'LIST', who = '', letter = '']) {
    const channel = registeredChannel(turn, name)
    if (channel === undefined) return
    const asked = action.toUpperCase()
    if (asked === 'LIST') return listAccess(turn, channel)
    if (who === '') return turn.tell(`Usage: /msg ChanServ ${ACCESS.usage}`)
    switch (asked) {
      case 'ADD':
        return isRank(letter)
          ? changeAccess(turn, channel, who, letter)
          : turn.tell(`A rank is one of ${RANKS.join(', ')}`)
      case 'DEL':
        return changeAccess(turn, channel, who, undefined)
      default:
        return turn.tell(`Usage: /msg ChanServ ${ACCESS.usage}`)
    }
  },
}

const INFO: Verb = {
  name: 'INFO',
  usage: 'INFO <#channel>',
  help: 'tells who a channel belongs to, and since when',
  minWords: 1,
  run(turn, [name = '']) {
    const channel = registeredChannel(turn, name)
    if (channel?.registration === undefined) return
    const { founder, at } = channel.registration
    turn.tell(`${channel.name} belongs to ${nameOf(turn, founder)} since ${new Date(at).toISOString()}`)
  },
}

export const CHANSERV: Service = {
  nick: 'ChanServ',
  about: 'ChanServ looks after channels that belong to somebody, also while nobody is in them.',
  verbs: new Map([REGISTER, UNREGISTER, TRANSFER, ACCESS, INFO].map((verb) => [verb.name, verb])),
}

/** A secret channel is there only for those inside and for server operators. */
function registeredChannel(turn: ServiceTurn, name: string): Channel | undefined {
  const channel = findVisible(turn.state, turn.user, name)
  if (channel?.registration !== undefined) return channel
  turn.tell(`${shown(name)} is not registered`)
  return undefined
}

function ownChannel(turn: ServiceTurn, name: string): Channel | undefined {
  const channel = registeredChannel(turn, name)
  if (channel === undefined || isFounder(channel, turn.user)) return channel
  turn.tell(`Only the founder of ${channel.name} may do that`)
  return undefined
}

function knownAccount({ state, tell }: ServiceTurn, name: string): Account | undefined {
  const account = findAccount(state, name)
  if (account === undefined) tell(`There is no account ${shown(name)}`)
  return account
}

function changeAccess(turn: ServiceTurn, channel: Channel, who: string, rank: Rank | undefined): void {
  const { user, tell, propose } = turn
  const account = knownAccount(turn, who)
  if (account === undefined) return
  const known = channel.registration?.access.get(account.key)
  if (account.key === channel.registration?.founder) return tell(`${account.name} is the founder`)
  if (!mayGrant(channel, user, [known, rank])) return tell(`You may not change that in ${channel.name}`)
  if (known === rank) return tell('Nothing to change')
  propose({ kind: 'channel.access', channel: channel.key, account: account.key, rank })
  tell(
    rank === undefined ? `${account.name} is off the list` : `${account.name} comes in with ${PREFIX[rank]}`,
  )
}

function listAccess(turn: ServiceTurn, channel: Channel): void {
  const { registration } = channel
  if (registration === undefined) return
  if (membership(channel, turn.user) === undefined && !mayGrant(channel, turn.user, []))
    return turn.tell(`Only those in ${channel.name} may read its list`)
  turn.tell(`q ${nameOf(turn, registration.founder)} (founder)`)
  for (const [key, rank] of registration.access) turn.tell(`${rank} ${nameOf(turn, key)}`)
}

/** What cannot be undone needs a code that nobody types by mistake. */
function isConfirmed(
  { tell }: ServiceTurn,
  { name, createdAt }: Channel,
  verb: string,
  given: string | undefined,
  to = '',
): boolean {
  const code = confirmation(createdAt)
  if (given === code) return true
  const words = [verb, name, ...(to === '' ? [] : [to]), code].join(' ')
  tell(`To confirm: /msg ChanServ ${words}`)
  return false
}

function nameOf({ state }: ServiceTurn, key: AccountKey): string {
  return state.accounts.get(key)?.name ?? key
}

/** A word, short enough to repeat in an answer. */
function shown(name: string): string {
  return name.slice(0, 64)
}
