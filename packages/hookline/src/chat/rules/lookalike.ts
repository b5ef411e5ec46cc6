// Keeps nicks from being mistaken for somebody else's.
import { accountKey, nickKey } from '../../irc/names.ts'
import { SERVICE_NICKS } from '../service.ts'
import type { Chat } from '../spine.ts'
import type { User } from '../state.ts'

/** Whose nick or account `nick` looks like, other than that of `user`, logged in to `account`; or the server's or a service's name. */
export function looksLike(
  { state, settings, world: { skeleton } }: Pick<Chat, 'state' | 'settings' | 'world'>,
  nick: string,
  { user, account }: { readonly user: User | undefined; readonly account: string | null },
): string | undefined {
  if (skeleton === undefined) return undefined
  const seen = skeleton(nick)
  const isLike = (other: string) => nickKey(other) !== nickKey(nick) && skeleton(other) === seen
  for (const other of state.users.values())
    if (other.key !== user?.key && isOthers(other.account, account) && isLike(other.nick)) return other.nick
  for (const { name } of state.accounts.values()) if (isOthers(name, account) && isLike(name)) return name
  return [settings.name, ...SERVICE_NICKS].find(isLike)
}

/** The connections and nicks of one account belong to one person. */
function isOthers(owner: string | null, account: string | null): boolean {
  return owner === null || account === null || accountKey(owner) !== accountKey(account)
}
