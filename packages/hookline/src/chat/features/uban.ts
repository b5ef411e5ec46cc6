// UBAN: keeps addresses, networks and masks off the server, and disconnects those who are here. As in Ergo:
// https://github.com/ergochat/ergo/blob/master/docs/MANUAL.md
import { cutText } from '../../irc/split.ts'
import type { Command, UserTurn } from '../command.ts'
import { parseDuration } from '../duration.ts'
import { tellInPieces } from '../output/pieces.ts'
import { bansOver, banTarget } from '../rules/serverban.ts'
import type { Session } from '../session.ts'
import { findUser } from '../state.ts'
import {
  type BanRequest,
  forgetBan,
  type ForgottenBan,
  connectionsMatching,
  saveBan,
  type SavedBan,
  shown,
} from './serverban.ts'

type Prepared =
  | { readonly kind: 'add'; readonly saved: SavedBan }
  | { readonly kind: 'del'; readonly forgotten: ForgottenBan | undefined }

export const UBAN: Command<Prepared | undefined> = {
  name: 'UBAN',
  minParams: 1,
  when: 'registered',
  help: [
    'UBAN ADD [REQUIRE-SASL] [DURATION <time>] <mask> [:<reason>]: bans an address, a network or a mask (server operators)',
    'UBAN DEL <mask>: lifts a ban (server operators)',
    'UBAN LIST: lists the bans (server operators)',
    'UBAN INFO <mask>: shows whom a ban would affect, or where a nick connects from (server operators)',
  ],
  privilege: 'ban',
  // The mask may come after REQUIRE-SASL and DURATION.
  audited: 5,
  prepare(turn, { params }) {
    const [subcommand = '', ...words] = params
    switch (subcommand.toUpperCase()) {
      case 'ADD':
        return prepareAdd(turn, words)
      case 'DEL':
        return prepareRemove(turn, words[0] ?? '')
      default:
        return undefined
    }
  },
  run(turn, { params }, prepared) {
    if (prepared?.kind === 'add') return add(turn, prepared.saved)
    if (prepared?.kind === 'del') return remove(turn, prepared.forgotten)
    const [subcommand = '', target = ''] = params
    switch (subcommand.toUpperCase()) {
      case 'LIST':
        return tellInPieces(turn.chat, turn.session, list(turn))
      case 'INFO':
        return info(turn, target)
      default:
        turn.fail('UNKNOWN_COMMAND', [subcommand], 'Use ADD, DEL, LIST or INFO')
    }
  },
  conclude({ propose }, _, prepared) {
    if (prepared?.kind === 'add' && prepared.saved.ok)
      propose({ kind: 'server.banned', ban: prepared.saved.ban })
    if (prepared?.kind === 'del' && prepared.forgotten?.isSaved)
      propose({ kind: 'server.unbanned', target: prepared.forgotten.target })
  },
}

/**
 * `DURATION` and `REQUIRE-SASL` may stand before or after the target; the rest is the reason. So is a last parameter of several words,
 * whatever it begins with, unless it is all there is.
 */
function requestOf(params: readonly string[]): BanRequest | string {
  const rest = wordsOf(params.join(' '))
  const last = params.at(-1) ?? ''
  const ofReason = params.length > 1 && last.includes(' ') ? wordsOf(last).length : 0
  let target: string | undefined
  let durationMs: number | undefined
  let needsAccount = false
  for (;;) {
    const [word, next = ''] = rest
    const option = target === undefined || rest.length > ofReason ? word?.toUpperCase() : undefined
    if (option === 'REQUIRE-SASL') {
      needsAccount = true
      rest.shift()
    } else if (option === 'DURATION') {
      durationMs = parseDuration(next)
      if (durationMs === undefined) return 'DURATION must be a time such as 90m or 1d12h, at most ten years'
      rest.splice(0, 2)
    } else if (target === undefined && word !== undefined) {
      target = word
      rest.shift()
    } else return { target: target ?? '', durationMs, needsAccount, reason: rest.join(' ') }
  }
}

function wordsOf(text: string): string[] {
  return text.split(' ').filter((word) => word !== '')
}

async function prepareAdd({ chat, session, user }: UserTurn, words: readonly string[]): Promise<Prepared> {
  const request = requestOf(words)
  if (typeof request === 'string') return { kind: 'add', saved: { ok: false, reason: request } }
  return { kind: 'add', saved: await saveBan(chat, request, { name: user.nick, session }) }
}

async function prepareRemove({ chat }: UserTurn, text: string): Promise<Prepared> {
  return { kind: 'del', forgotten: await forgetBan(chat, text) }
}

const NOT_WRITTEN = 'Nothing changed: the change could not be saved, see the server log'

function add(turn: UserTurn, saved: SavedBan): void {
  const { chat, propose } = turn
  if (!saved.ok) return turn.fail('INVALID_PARAMS', ['ADD'], saved.reason ?? NOT_WRITTEN)

  const ended = connectionsMatching(chat, saved.ban)
  propose({ kind: 'server.banned', ban: saved.ban })
  tell(turn, `Banned ${shown(saved.ban)}`)
  if (ended.length > 0) tell(turn, `Disconnected ${ended.length}: ${namesOf(ended)}`)
}

function remove(turn: UserTurn, forgotten: ForgottenBan | undefined): void {
  if (forgotten === undefined || !turn.state.bans.has(forgotten.target))
    return turn.fail('INVALID_PARAMS', ['DEL'], 'No such ban: UBAN LIST shows all bans')
  if (!forgotten.isSaved) return turn.fail('INTERNAL_ERROR', ['DEL'], NOT_WRITTEN)

  turn.propose({ kind: 'server.unbanned', target: forgotten.target })
  tell(turn, `Unbanned ${forgotten.target}`)
  for (const ban of bansOver(turn.state, forgotten)) tell(turn, `Still banned: ${shown(ban)}`)
}

function* list(turn: UserTurn): Generator {
  const { bans } = turn.state
  for (const ban of bans.values()) yield tell(turn, shown(ban))
  tell(turn, bans.size === 1 ? 'There is 1 ban' : `There are ${bans.size} bans`)
}

/** What a ban of that would affect, or where a user comes from. */
function info(turn: UserTurn, text: string): void {
  const { chat, state } = turn
  const user = findUser(state, text)
  if (user !== undefined) {
    const addresses = new Set(chat.sessionsOf(user).map(({ address }) => address))
    const account = user.account === null ? 'not logged in' : `logged in as ${user.account}`
    const from = addresses.size === 0 ? 'not connected' : `connected from ${[...addresses].join(' ')}`
    return tell(turn, `${user.nick} is ${account}, ${from}`)
  }
  const named = banTarget(text)
  if (named === undefined)
    return turn.fail(
      'INVALID_PARAMS',
      ['INFO'],
      'Give an address, a network, a mask, or the nick of someone online',
    )
  const over = bansOver(state, named)
  if (over.length === 0) tell(turn, `${named.target} is not banned`)
  for (const ban of over) tell(turn, shown(ban))
  const here = connectionsMatching(chat, { ...named, needsAccount: false })
  const counted = here.length === 1 ? '1 connection matches' : `${here.length} connections match`
  const names = here.length === 0 ? '' : `: ${namesOf(here)}`
  tell(turn, `${counted} ${named.target}${names}`)
}

function tell({ chat, session, user }: UserTurn, text: string): void {
  session.send(chat.line({ command: 'NOTICE', params: [user.nick, text], at: chat.world.now() }))
}

/** As many as fit. */
function namesOf(sessions: readonly Session[]): string {
  return cutText(sessions.map(({ user, address }) => user?.nick ?? address).join(' '), 300)
}
