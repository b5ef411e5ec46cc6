// No such nick that others take it for somebody else.
import { accountKey, nickKey } from '../../irc/names.ts'
import { SERVICE_NICKS } from '../service.ts'
import type { Chat } from '../spine.ts'
import type { User } from '../state.ts'

/** Whose nick or account `nick` looks like, other than that of `user`, who is logged in to `account`; or which of our own names. */
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

/** The connections and nicks of one account are one person's. */
function isOthers(owner: string | null, account: string | null): boolean {
  return owner === null || account === null || accountKey(owner) !== accountKey(account)
}
