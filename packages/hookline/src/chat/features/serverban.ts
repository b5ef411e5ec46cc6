// Server bans: how one is made and shown, what it ends, whom it turns away.
import { asParam } from '../../irc/address.ts'
import { fold } from '../../irc/names.ts'
import * as numerics from '../../irc/numerics.ts'
import { cutText } from '../../irc/split.ts'
import type { Chat } from '../chat.ts'
import { effect } from '../command.ts'
import { formatDuration } from '../duration.ts'
import type { Entry, ServerBanned, ServerUnbanned } from '../events.ts'
import { mayUse } from '../rules/oper.ts'
import { banOf, type BanScope, banTarget, isMeant, refusesBan } from '../rules/serverban.ts'
import type { Session } from '../session.ts'
import { Slot } from '../slot.ts'
import type { ServerBan } from '../state.ts'

export interface BanRequest {
  readonly target: string
  /** Undefined: until it is lifted. */
  readonly durationMs: number | undefined
  /** Those who are logged in are exempt. */
  readonly needsAccount: boolean
  readonly reason: string
}

/** Who asks for a ban; without a session, the command line. */
type Asking = { name: string; session?: Session | undefined }

/** A ban on disk, to be proposed now; or why not, undefined if the disk refused it. */
export type SavedBan =
  | { readonly ok: true; readonly ban: ServerBan }
  | { readonly ok: false; readonly reason: string | undefined }

/** Targets of bans that are being written. */
const inHand = new Slot<Chat, Set<string>>()

/** On disk before anybody is told, so that what was announced lasts. */
export async function saveBan(chat: Chat, request: BanRequest, by: Asking): Promise<SavedBan> {
  const planned = planBan(chat, request, by)
  if (typeof planned === 'string') return { ok: false, reason: planned }
  const targets = inHand.of(chat) ?? new Set<string>()
  inHand.keep(chat, targets.add(planned.target))
  const isSaved = (await chat.world.bans?.save(planned)) !== false
  targets.delete(planned.target)
  return isSaved ? { ok: true, ban: planned } : { ok: false, reason: undefined }
}

export interface ForgottenBan extends Pick<ServerBan, 'target' | 'network'> {
  readonly isSaved: boolean
}

/** The same for lifting one; undefined if there is no such ban. */
export async function forgetBan(chat: Chat, text: string): Promise<ForgottenBan | undefined> {
  // Earlier versions kept `*!*@2001:db8::7` as a mask.
  const target = [banTarget(text)?.target, fold(text)].find((each = '') => chat.state.bans.has(each))
  const ban = target === undefined ? undefined : chat.state.bans.get(target)
  if (ban === undefined) return undefined
  return { ...ban, isSaved: (await chat.world.bans?.remove(ban.target)) !== false }
}

/** The ban to be made, or why it cannot be. */
function planBan(chat: Chat, request: BanRequest, by: Asking): ServerBan | string {
  const { durationMs, needsAccount } = request
  const named = banTarget(request.target)
  if (named === undefined)
    return 'Give an address, a network such as 192.0.2.0/24, or a mask such as *!*@*.example.org'
  const at = chat.world.now()
  const known = chat.state.bans.get(named.target)
  const ban: ServerBan = {
    ...named,
    needsAccount,
    reason: cutText(request.reason.trim() || known?.reason || 'No reason given', MOST_REASON_BYTES),
    by: by.name,
    at,
    until: durationMs === undefined ? null : at + durationMs,
  }
  return refusesBan(chat.state, ban, { by: by.session, cloak: chat.world.cloak }) ?? ban
}

const MOST_REASON_BYTES = 200

export const serverBanned = effect<ServerBanned>({
  apply(state, { ban }) {
    state.bans.set(ban.target, ban)
  },
  announce(chat, { ban }, _, entry) {
    for (const session of connectionsMatching(chat, ban)) turnAway(chat, session, ban)
    tellOperators(chat, `Banned ${shown(ban)}`, entry)
  },
})

export const serverUnbanned = effect<ServerUnbanned>({
  apply(state, { target }) {
    state.bans.delete(target)
  },
  announce(chat, { target }, _, entry) {
    tellOperators(chat, `Unbanned ${target}`, entry)
  },
})

/** All who could have done it; whoever did is told by the command. */
function tellOperators(chat: Chat, text: string, entry: Entry): void {
  const by = chat.originOf(entry)?.user
  for (const user of chat.state.users.values()) {
    if (user === by || !mayUse(user, 'ban')) continue
    chat.toUser(user, chat.line({ command: 'NOTICE', params: [user.nick, text], at: entry.at }))
  }
}

/** The connections here to which it applies. */
export function connectionsMatching(chat: Chat, ban: BanScope): Session[] {
  return [...chat.sessions.values()].filter((session) => isMeant(ban, session))
}

/** `192.0.2.0/24 (by root, for 1d, until 2026-04-03T09:15:00.000Z): spam`; UBAN DEL takes the target as it stands there. */
export function shown({ target, needsAccount, by, at, until, reason }: ServerBan): string {
  const end =
    until === null
      ? 'permanently'
      : `for ${formatDuration(until - at)}, until ${new Date(until).toISOString()}`
  return `${asParam(target)}${needsAccount ? ' without an account' : ''} (by ${by}, ${end}): ${reason}`
}

/** True if the connection was banned, and is closed. */
export function turnAwayIfBanned(chat: Chat, session: Session): boolean {
  const ban = banOf(chat.state, session, chat.world.now())
  if (ban !== undefined) turnAway(chat, session, ban)
  return ban !== undefined
}

function turnAway(chat: Chat, session: Session, { needsAccount, until, reason }: ServerBan): void {
  const how = needsAccount
    ? 'You must log in with SASL to connect from here'
    : 'You are banned from this server'
  const end = until === null ? '' : ` until ${new Date(until).toISOString()}`
  chat.reply(session, numerics.ERR_YOUREBANNEDCREEP, `${how}${end}: ${reason}`)
  chat.close(session, `Banned: ${reason}`)
}

/** Once a second, and when the server starts: lifts bans whose time is over, except one that is being renewed. */
export function liftExpired(chat: Chat): void {
  // One whose end has come by the clock alone has no effect, and is lifted once the time has really passed.
  const now = Math.min(chat.world.now(), chat.world.trusted?.() ?? Infinity)
  for (const { target, until } of chat.state.bans.values()) {
    if (until === null || until > now || inHand.of(chat)?.has(target) === true) continue
    chat.propose({ kind: 'server.unbanned', target })
    void chat.world.bans?.remove(target)
  }
}
