// ChanServ: registered channels, as a service.
import { isRank, PREFIX, type Rank, RANKS } from '../../../irc/modes.ts'
import { type AccountKey, accountKey, fold, matchesMask } from '../../../irc/names.ts'
import { tellInPieces } from '../../output/pieces.ts'
import { registeredRank } from '../../rules/join.ts'
import {
  isFounder,
  mayGiveAsListed,
  mayGrant,
  refusesRegistration,
  refusesTransfer,
} from '../../rules/register.ts'
import { findVisible, maySeeChannel } from '../../rules/see.ts'
import { confirmation, type Service, type ServiceTurn, type Verb } from '../../service.ts'
import { type Account, type Channel, findAccount, findUser, membership, type User } from '../../state.ts'
import { REDACT } from './chanservredact.ts'
import { proposeModes } from '../mode/mode.ts'

const REGISTER: Verb = {
  name: 'REGISTER',
  usage: 'REGISTER <#channel>',
  help: 'registers a channel: it stays while empty, and you are its founder',
  minWords: 1,
  needsAccount: true,
  run(turn, [name = '']) {
    const { chat, state, user, tell, propose } = turn
    const channel = findVisible(state, user, name)
    if (channel === undefined) return tell(`There is no channel ${shown(name)}: join it first`)
    const refused = refusesRegistration(chat.settings, state, channel, user)
    if (refused !== undefined) return tell(refused)
    propose({ kind: 'channel.registered', channel: channel.key, founder: accountKey(turn.account) })
    tell(`${channel.name} is now registered, and you are its founder`)
  },
}

const UNREGISTER: Verb = {
  name: 'UNREGISTER',
  usage: 'UNREGISTER <#channel> [<code>]',
  help: 'unregisters a channel; you first get a code to confirm it with',
  minWords: 1,
  needsAccount: 'channels',
  run(turn, [name = '', code]) {
    const channel = ownChannel(turn, name)
    if (channel === undefined || !isConfirmed(turn, channel, `UNREGISTER ${channel.name}`, code)) return
    turn.propose({ kind: 'channel.unregistered', channel: channel.key })
    turn.tell(`${channel.name} is no longer registered`)
  },
}

const TRANSFER: Verb = {
  name: 'TRANSFER',
  usage: 'TRANSFER <#channel> <account> [<code>]',
  help: 'transfers a channel to another account; you first get a code to confirm it with',
  minWords: 2,
  needsAccount: 'channels',
  run(turn, [name = '', to = '', code]) {
    const channel = ownChannel(turn, name)
    const account = channel && knownAccount(turn, to)
    if (channel === undefined || account === undefined) return
    const refused = refusesTransfer(turn.chat.settings, turn.state, channel, { account, user: turn.user })
    if (refused !== undefined) return turn.tell(refused)
    if (!isConfirmed(turn, channel, `TRANSFER ${channel.name} ${account.name}`, code)) return
    turn.propose({ kind: 'channel.registered', channel: channel.key, founder: account.key })
    turn.tell(`${channel.name} now belongs to ${account.name}`)
  },
}

const ACCESS: Verb = {
  name: 'ACCESS',
  usage: 'ACCESS <#channel> [LIST | ADD <account> <q|a|o|h|v> | DEL <account>]',
  help: 'shows or changes which accounts get which rank when they join',
  minWords: 1,
  run(turn, [name = '', action = 'LIST', who = '', letter = '']) {
    const channel = registeredChannel(turn, name)
    if (channel === undefined) return
    const asked = action.toUpperCase()
    if (asked === 'LIST') return listAccess(turn, channel)
    if (who === '' || (asked !== 'ADD' && asked !== 'DEL'))
      return turn.tell(`Usage: /msg ChanServ ${ACCESS.usage}`)
    if (asked === 'DEL') return changeAccess(turn, channel, who, undefined)
    if (!isRank(letter)) return turn.tell(`The rank must be one of ${RANKS.join(', ')}`)
    changeAccess(turn, channel, who, letter)
  },
}

const OP: Verb = {
  name: 'OP',
  usage: 'OP <#channel> [<nick>]',
  help: 'gives you your rank again, or makes somebody else an operator',
  minWords: 1,
  needsAccount: 'channels',
  run(turn, [name = '', nick]) {
    const found = memberOf(turn, name, nick)
    if (found === undefined) return
    const { channel, target, ranks } = found
    const own = target.key === turn.user.key ? registeredRank(channel, target) : undefined
    if (own === undefined && !mayGiveAsListed(channel, turn.user, ['o'])) return refuseRank(turn, channel)
    const rank = own ?? 'o'
    if (ranks.includes(rank)) return turn.tell('Nothing to change')
    changeRanks(turn, channel, target, '+', [rank])
  },
}

const DEOP: Verb = {
  name: 'DEOP',
  usage: 'DEOP <#channel> [<nick>]',
  help: 'takes all ranks but the voice from you or somebody else',
  minWords: 1,
  needsAccount: 'channels',
  run(turn, [name = '', nick]) {
    const found = memberOf(turn, name, nick)
    if (found === undefined) return
    const { channel, target } = found
    const ranks = found.ranks.filter((rank) => rank !== 'v')
    const isOwn = target.key === turn.user.key
    if (!isOwn && !mayGiveAsListed(channel, turn.user, ranks)) return refuseRank(turn, channel)
    if (ranks.length === 0) return turn.tell('Nothing to change')
    changeRanks(turn, channel, target, '-', ranks)
  },
}

const INFO: Verb = {
  name: 'INFO',
  usage: 'INFO <#channel>',
  help: 'shows who owns a channel, and since when',
  minWords: 1,
  run(turn, [name = '']) {
    const channel = registeredChannel(turn, name)
    if (channel?.registration === undefined) return
    turn.tell(ownership(turn, channel.name, channel.registration))
  },
}

const LIST: Verb = {
  name: 'LIST',
  usage: 'LIST [<mask>]',
  help: 'lists the registered channels that you may see, with their founders',
  minWords: 0,
  maxWords: 1,
  privilege: 'channels',
  run: (turn, [mask = '*']) => tellInPieces(turn.chat, turn.session, listed(turn, mask)),
}

function* listed(turn: ServiceTurn, mask: string): Generator {
  let count = 0
  for (const channel of Array.from(turn.state.channels.values())) {
    const { key, name, registration } = channel
    const isShown = matchesMask(fold(mask), key) && maySeeChannel(channel, turn.user)
    if (isShown && registration !== undefined) {
      turn.tell(ownership(turn, name, registration))
      count++
    }
    yield
  }
  turn.tell(`End of list: ${count} registered`)
}

type Registration = NonNullable<Channel['registration']>

function ownership(turn: ServiceTurn, name: string, { founder, at }: Registration): string {
  return `${name} has belonged to ${nameOf(turn, founder)} since ${new Date(at).toISOString()}`
}

export const CHANSERV: Service = {
  nick: 'ChanServ',
  about: 'ChanServ manages registered channels, which keep their founder even while empty.',
  verbs: new Map(
    [REGISTER, UNREGISTER, TRANSFER, ACCESS, OP, DEOP, REDACT, INFO, LIST].map((verb) => [verb.name, verb]),
  ),
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

/** Whoever asks or, for those who may make operators, the nick they give: as a member of a registered channel. */
function memberOf(
  turn: ServiceTurn,
  name: string,
  nick = turn.user.nick,
): { channel: Channel; target: User; ranks: readonly Rank[] } | undefined {
  const channel = registeredChannel(turn, name)
  if (channel === undefined) return undefined
  const target = findUser(turn.state, nick)
  // Nobody else learns who is inside.
  if (target?.key !== turn.user.key && !mayGiveAsListed(channel, turn.user, ['o'])) {
    refuseRank(turn, channel)
    return undefined
  }
  const member = target && membership(channel, target)
  if (target !== undefined && member !== undefined) return { channel, target, ranks: member.ranks }
  turn.tell(`${shown(nick)} is not in ${channel.name}`)
  return undefined
}

function refuseRank({ tell }: ServiceTurn, { name }: Channel): void {
  tell(`Your rank in ${name} is too low to change that`)
}

/** As a MODE of whoever asked. */
function changeRanks(
  turn: ServiceTurn,
  channel: Channel,
  target: User,
  sign: '+' | '-',
  ranks: readonly Rank[],
): void {
  const changes = ranks.map((mode) => ({ sign, mode, param: target.nick, user: target.key }))
  proposeModes(turn, channel, changes)
}

function changeAccess(turn: ServiceTurn, channel: Channel, who: string, rank: Rank | undefined): void {
  const { user, tell, propose } = turn
  const account = knownAccount(turn, who)
  if (account === undefined) return
  const known = channel.registration?.access.get(account.key)
  if (account.key === channel.registration?.founder) return tell(`${account.name} is the founder`)
  if (!mayGrant(channel, user, [known, rank])) return refuseRank(turn, channel)
  if (known === rank) return tell('Nothing to change')
  propose({ kind: 'channel.access', channel: channel.key, account: account.key, rank })
  tell(
    rank === undefined
      ? `${account.name} is no longer on the access list`
      : `${account.name} now gets ${PREFIX[rank]} on joining`,
  )
}

function listAccess(turn: ServiceTurn, channel: Channel): void {
  const { registration } = channel
  if (registration === undefined) return
  if (membership(channel, turn.user) === undefined && !mayGrant(channel, turn.user, []))
    return turn.tell(`Only members of ${channel.name} can see its access list`)
  turn.tell(`q ${nameOf(turn, registration.founder)} (founder)`)
  for (const [key, rank] of registration.access) turn.tell(`${rank} ${nameOf(turn, key)}`)
}

/** What cannot be undone needs a code that nobody types by mistake. */
function isConfirmed(
  { tell }: ServiceTurn,
  { createdAt }: Channel,
  request: string,
  given: string | undefined,
): boolean {
  const code = confirmation(createdAt)
  if (given === code) return true
  tell(`To confirm: /msg ChanServ ${request} ${code}`)
  return false
}

function nameOf({ state }: ServiceTurn, key: AccountKey): string {
  return state.accounts.get(key)?.name ?? key
}

/** A word, short enough to repeat in an answer. */
function shown(name: string): string {
  return name.slice(0, 64)
}
