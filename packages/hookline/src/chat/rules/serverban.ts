// Who is kept off this server: bans of addresses, networks and masks.
import {
  addressBits,
  asParam,
  type Bits,
  LOOPBACK,
  networkBits,
  networkText,
  overlaps,
} from '../../irc/address.ts'
import { completeMask, fold, matchesMask } from '../../irc/names.ts'
import type { Session } from '../session.ts'
import { maskOf, type ServerBan, type State, type User } from '../state.ts'

/** Beyond this an operator has to ban networks instead of addresses. */
const MOST_BANS = 10_000

/** What a ban means; undefined if the text is no address, network or mask. */
export function banTarget(text: string): { target: string; network: Bits | null } | undefined {
  // As in a channel's bans, `*!*@192.0.2.0/24` is everybody there; so is `*!*@2001:0DB8::7`, in whatever form.
  const network = networkBits(text.replace(/^(\*!)?\*?@(?=.*[/:])/, ''))
  if (network !== undefined) return { target: networkText(network), network }
  if (!/^[^\s:]\S*$/.test(text) || !/[!@]/.test(text)) return undefined
  const at = text.lastIndexOf('@') + 1
  const host = networkBits(text.slice(at))
  // A mask is text: with a network in it, it would match nobody, and an address only in the usual form.
  if (host !== undefined && text.includes('/', at)) return undefined
  const mask = host === undefined ? text : text.slice(0, at) + networkText(host)
  return { target: fold(completeMask(mask)), network: null }
}

/** Why that cannot be banned; undefined if it can. `by` is undefined for the command line, `cloak` if there are no cloaks. */
export function refusesBan(
  state: State,
  ban: ServerBan,
  { by, cloak }: { by: Session | undefined; cloak: ((address: string) => string) | undefined },
): string | undefined {
  const { target, network } = ban
  if (network === null && !/[^*?!@.]/.test(target))
    return `${target} would ban everybody: use a more specific mask`
  if (network === null ? holdsOwn(target, cloak) : OWN.some((own) => overlaps(own, network)))
    return `${target} includes this machine itself (127.0.0.0/8 or ::1), with its bots and proxies: ban a smaller network`
  if (by !== undefined && isMeant(ban, by))
    return `${target} would ban you, too: you could not come back to lift it`
  if (state.bans.size >= MOST_BANS && !state.bans.has(target))
    return `there are already ${MOST_BANS} bans: remove some, or ban networks instead of addresses`
  return undefined
}

/** Whether a mask means connections from this machine, whatever their nick and username. */
function holdsOwn(target: string, cloak: ((address: string) => string) | undefined): boolean {
  const host = wholeHost(target)
  if (host === undefined) return false
  return OWN_ADDRESSES.some((own) => [own, cloak?.(own) ?? own].some((each) => matchesMask(host, fold(each))))
}

/** The host in a mask for every nick and username. */
function wholeHost(mask: string): string | undefined {
  return /^[*?]+![*?]+@(.*)$/.exec(mask)?.[1]
}

const OWN_ADDRESSES = ['127.0.0.1', '::1', asParam('::1')]
const OWN = LOOPBACK.flatMap((network) => networkBits(network) ?? [])

/** The ban that keeps this connection out, as far as it is known who it is. */
export function banOf({ bans }: State, session: Session, now: number): ServerBan | undefined {
  if (bans.size === 0) return undefined
  // Computed once for all bans: there may be ten thousand.
  const facts = factsOf(session)
  for (const ban of bans.values())
    if ((ban.until === null || ban.until > now) && isMeant(ban, session, facts)) return ban
  return undefined
}

/** The bans that mean everybody whom one of `target` would mean. Whom two different masks mean is not compared. */
export function bansOver({ bans }: State, { target, network }: Omit<BanScope, 'needsAccount'>): ServerBan[] {
  return [...bans.values()].filter((ban) => {
    if (ban.target === target) return true
    if (network === null) return false
    return ban.network === null
      ? !target.includes('/') && matchesMask(wholeHost(ban.target) ?? '', fold(target))
      : network.startsWith(ban.network)
  })
}

/** Whom a ban means. */
export type BanScope = Pick<ServerBan, 'target' | 'network' | 'needsAccount'>

/** Whether `ban` applies: by address at once, by mask or for lack of an account once the client is known. */
export function isMeant(
  { network, target, needsAccount }: BanScope,
  session: Session,
  { bits, masks } = factsOf(session),
): boolean {
  const { user, introduction } = session
  if (network === null ? !masks.some((mask) => matchesMask(target, mask)) : !bits?.startsWith(network))
    return false
  if (!needsAccount) return true
  return masks.length > 0 && (user === undefined ? introduction.account : user.account) === null
}

/** What bans are compared with; no masks while it is not known who it is. */
function factsOf(session: Session): { readonly bits: Bits | undefined; readonly masks: readonly string[] } {
  const who = session.user ?? introducedAs(session)
  return { bits: addressBits(session.address), masks: who === undefined ? [] : masksOf(who, session) }
}

type Named = Pick<User, 'nick' | 'username' | 'host'>

/** What it will be once registered; undefined while something is missing. */
function introducedAs({ introduction, host }: Session): Named | undefined {
  const { nick, username, isNegotiating } = introduction
  return nick === undefined || username === undefined || isNegotiating ? undefined : { nick, username, host }
}

/** With the host that others see, the one without an account, and the real address. */
function masksOf(who: Named, { host, address }: Session): string[] {
  return [...new Set([who.host, host, address])].map((each) => fold(maskOf({ ...who, host: each })))
}
