// WHO and WHOX: a line for each user that a name or mask matches.
// https://modern.ircdocs.horse/#who-message, https://ircv3.net/specs/extensions/whox
import { fold, isChannelName, isMask, matchesMask } from '../../irc/names.ts'
import * as numerics from '../../irc/numerics.ts'
import { byteLength } from '../../irc/split.ts'
import type { Command, UserTurn } from '../command.ts'
import { roomFor } from '../output/line.ts'
import { tellInPieces } from '../output/pieces.ts'
import { findVisible, maySee, maySeeAddress, maySeeIn } from '../rules/see.ts'
import { type Channel, findUser, isBot, maskOf, membership, type User } from '../state.ts'
import { prefixesFor } from './names.ts'
import { addressesOf, idleSeconds } from './whois.ts'

export const WHO: Command = {
  name: 'WHO',
  minParams: 0,
  when: 'registered',
  help: [
    'WHO <channel|nick|mask> [o]: lists users; with o, only server operators',
    'WHO <channel|nick|mask> [o]%<fields>[,<token>]: the same, with the fields you choose (tcuihsnfdlaor) and your token in each line',
  ],
  run(turn, { params: [mask = '*', options = ''] }) {
    tellInPieces(turn.chat, turn.session, listed(turn, mask, options))
  },
}

function* listed(turn: UserTurn, mask: string, options: string): Generator {
  const [flags = '', fields] = options.split('%', 2)
  const wantsOpers = flags.includes('o')
  const extended = fields === undefined ? undefined : parseFields(fields)
  for (const [user, channel] of meant(turn, mask)) {
    if (user !== undefined && (!wantsOpers || user.oper !== undefined)) {
      if (extended === undefined) replyPlain(turn, user, channel)
      else turn.reply(numerics.RPL_WHOSPCRPL, ...extendedReply(turn, user, channel, extended))
    }
    yield
  }
  turn.reply(numerics.RPL_ENDOFWHO, mask)
}

/** Users that the mask matches and the asker may see, each with the channel to show it in; an empty entry for all others looked at. */
function* meant(
  { state, user: viewer }: UserTurn,
  mask: string,
): Generator<[user?: User, channel?: Channel | undefined]> {
  if (isChannelName(mask)) {
    const channel = findVisible(state, viewer, mask)
    if (channel === undefined) return
    for (const { user } of channel.members.values())
      yield maySeeIn(channel, viewer, user) ? [user, channel] : []
  } else if (!isMask(mask) && mask !== '0') {
    const user = findUser(state, mask)
    if (user !== undefined) yield [user, shownIn(viewer, user)]
  } else {
    // RFC 2812 3.6.1: `0` means everybody.
    const folded = mask === '0' ? '*' : fold(mask)
    for (const user of state.users.values())
      yield maySee(viewer, user) && isMeant(folded, user) ? [user, shownIn(viewer, user)] : []
  }
}

/** A mask may match a nick, a user name, a host or a real name; with `!` or `@` also the first three in one, as in `*@host`. */
function isMeant(mask: string, user: User): boolean {
  const { nick, username, host, realname } = user
  const whole = /[!@]/.test(mask) ? [maskOf(user)] : []
  return [nick, username, host, realname, ...whole].some((text) => matchesMask(mask, fold(text)))
}

function shownIn(viewer: User, user: User): Channel | undefined {
  for (const channel of user.channels.values()) if (maySeeIn(channel, viewer, user)) return channel
  return undefined
}

/** `H` here or `G` gone, `*` an operator, the rank in the channel, `B` a bot: https://modern.ircdocs.horse/#rplwhoreply-352 */
function flagsOf({ session }: UserTurn, user: User, channel: Channel | undefined): string {
  const ranks = (channel && membership(channel, user)?.ranks) ?? []
  return (
    (user.away === undefined ? 'H' : 'G') +
    (user.oper ? '*' : '') +
    prefixesFor(session, ranks) +
    (isBot(user) ? 'B' : '')
  )
}

function replyPlain(turn: UserTurn, user: User, channel: Channel | undefined): void {
  const { username, host, nick, realname } = user
  const server = turn.chat.settings.name
  const flags = flagsOf(turn, user, channel)
  turn.reply(
    numerics.RPL_WHOREPLY,
    channel?.name ?? '*',
    username,
    host,
    server,
    nick,
    flags,
    `0 ${realname}`,
  )
}

interface Extended {
  readonly fields: string
  readonly token: string
}

const FIELD_ORDER = 'tcuihsnfdlaor'.split('')

function parseFields(text: string): Extended {
  const [fields = '', token = ''] = text.split(',', 2)
  return { fields, token: /^\d{1,3}$/.test(token) ? token : '0' }
}

/** The requested fields, in the order that the specification fixes. */
function extendedReply(
  turn: UserTurn,
  user: User,
  channel: Channel | undefined,
  { fields, token }: Extended,
): string[] {
  const values: Readonly<Record<string, () => string>> = {
    t: () => token,
    c: () => channel?.name ?? '*',
    u: () => user.username,
    i: () =>
      maySeeAddress(turn.user, user) ? (addressesOf(turn.chat, user)[0] ?? user.host) : '255.255.255.255',
    h: () => user.host,
    s: () => turn.chat.settings.name,
    n: () => user.nick,
    f: () => flagsOf(turn, user, channel),
    d: () => '0',
    l: () => String(idleSeconds(turn.chat, user) ?? 0),
    a: () => user.account ?? '0',
    o: () => 'n/a',
    r: () => user.realname,
  }
  const asked = FIELD_ORDER.filter((field) => fields.includes(field))
  const told = asked.map((field) => values[field]?.() ?? '')
  // Only the real name is cut to fit. Where all names are very long, the channel's does not fit: `*` stands for none.
  const needed = told.slice(0, asked.at(-1) === 'r' ? -1 : undefined).join(' ')
  const room = roomFor(turn.chat.settings.name, numerics.RPL_WHOSPCRPL.code, turn.user.nick)
  if (byteLength(needed) > room && asked.includes('c')) told[asked.indexOf('c')] = '*'
  return told
}
