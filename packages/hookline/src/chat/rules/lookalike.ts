// Keeps nicks from being mistaken for somebody else's.
import { accountKey, nickKey } from '../../irc/names.ts'
import type { Chat } from '../chat.ts'
import { SERVICE_NICKS } from '../service.ts'
import type { User } from '../state.ts'

/** Whose nick or account `nick` looks like, other than that of `user`, logged in to `account`; or the name of a bot, the server or a service. */
export function looksLike(
  { state, settings, world: { skeleton, botNames } }: Pick<Chat, 'state' | 'settings' | 'world'>,
  nick: string,
  { user, account }: { readonly user: User | undefined; readonly account: string | null },
): string | undefined {
  const seen = skeleton?.(nick)
  const seenPlain = skeleton && lookIn({ skeleton }, nick)
  // Any two nicks may look alike in ASCII: people are used to that. Names that are somebody's for good are trusted.
  const isLike = (other: string) =>
    nickKey(other) !== nickKey(nick) &&
    (skeleton === undefined ? looksAlike(other, nick) : lookIn({ skeleton }, other) === seenPlain)
  for (const { name } of state.accounts.values()) if (isOthers(name, account) && isLike(name)) return name
  const known = [settings.name, ...SERVICE_NICKS, ...(botNames?.() ?? [])].find(isLike)
  if (known !== undefined || skeleton === undefined) return known
  for (const other of state.users.values())
    if (other.key !== user?.key && isOthers(other.account, account) && skeleton(other.nick) === seen)
      if (nickKey(other.nick) !== nickKey(nick)) return other.nick
  return undefined
}

/** What texts that look alike have in common. */
export function lookIn({ skeleton }: Pick<Chat['world'], 'skeleton'>, text: string): string {
  return lookOf(skeleton === undefined ? text : skeleton(plain(text)))
}

/**
 * Whether two texts of ASCII look alike in some font, as `1`, `l` and `I` do, `0` and `O`, and `rn` and `m`. What is beyond ASCII is left as
 * it is. https://www.unicode.org/reports/tr39/#Confusable_Detection
 */
function looksAlike(one: string, other: string): boolean {
  // Asked of every account for each nick that somebody takes: most differ where they begin or end.
  if (FIRST[one.charCodeAt(0)] !== FIRST[other.charCodeAt(0)]) return false
  if (LAST[one.charCodeAt(one.length - 1)] !== LAST[other.charCodeAt(other.length - 1)]) return false
  return lookOf(one) === lookOf(other)
}

function lookOf(text: string): string {
  return plain(text).toLowerCase().replaceAll('m', 'rn')
}

/** What looks alike only before it is folded: `i` is like none of these. */
function plain(text: string): string {
  return text.replaceAll(/[I1|]/g, 'l').replaceAll('0', 'o')
}

const ASCII = Array.from({ length: 128 }, (_, code) => lookOf(String.fromCharCode(code)))
const FIRST = ASCII.map((look) => look[0])
const LAST = ASCII.map((look) => look.at(-1))

/** The connections and nicks of one account belong to one person. */
function isOthers(owner: string | null, account: string | null): boolean {
  return owner === null || account === null || accountKey(owner) !== accountKey(account)
}
