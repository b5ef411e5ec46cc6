// Which conversation something belongs to: what history files it under.
import { accountKey, channelKey, nickKey } from '../irc/names.ts'
import type { Event, Said } from './events.ts'
import { findAccount, findUser, mustGet, type State, type User } from './state.ts'

/** A party in direct messages: `@` and the folded account, or a folded nick. No nick begins with `@`. */
export function partyOf({ nick, account }: Pick<User, 'nick' | 'account'>): string {
  return account === null ? nickKey(nick) : `@${accountKey(account)}`
}

/** Both parties in a fixed order. No channel has a space in its name. */
export function between(one: string, other: string): string {
  return one < other ? `${one} ${other}` : `${other} ${one}`
}

/** The folded channel, or the two parties. */
export function conversationOf(state: State, { from, to }: Pick<Said, 'from' | 'to'>): string {
  if ('channel' in to) return to.channel
  return between(partyOf(mustGet(state.users, from)), partyOf(mustGet(state.users, to.user)))
}

/**
 * All that a name may stand for in somebody's direct messages. A user who is here comes first; a nick also means the account of that
 * name, here or not, and those who had it without an account.
 */
export function partiesNamed(state: State, name: string): readonly string[] {
  const nick = nickKey(name)
  const here = findUser(state, name)
  if (here === undefined) return [`@${accountKey(name)}`, nick]
  const party = partyOf(here)
  return party === `@${accountKey(name)}` ? [party, nick] : [party]
}

/** The name by which somebody finds the other party again: the nick while it is here. */
export function nameOf(state: State, party: string): string {
  if (!party.startsWith('@')) return findUser(state, party)?.nick ?? party
  const name = party.slice(1)
  const account = findAccount(state, name)
  const here = [...(account?.users ?? [])]
  const user = here.find(({ nick }) => nickKey(nick) === nickKey(name)) ?? here[0]
  return user?.nick ?? account?.name ?? name
}

/** The party that `conversation` has beside `party`, which may be the same. */
export function otherParty(conversation: string, party: string): string {
  const [one = '', other = ''] = conversation.split(' ')
  return one === party ? other : one
}

/** When each was last talked to, in the order of `found`. Somebody known by a nick and by an account counts once. */
export function lastByName(
  found: readonly { readonly conversation: string; readonly time: number }[],
  nameIn: (conversation: string) => string | undefined,
): ReadonlyMap<string, number> {
  const times = new Map<string, number>()
  for (const { conversation, time } of found) {
    const name = nameIn(conversation)
    if (name === undefined) continue
    times.delete(name)
    times.set(name, time)
  }
  return times
}

/** The conversations in which an event will be seen: its time must be later than all before it there. Undefined: none. */
export function conversationsOf(state: State, event: Event): string | readonly string[] | undefined {
  if (event.kind === 'said') return conversationOf(state, event)
  if (event.kind === 'nick.changed' || event.kind === 'user.quit')
    return [...(state.users.get(event.user)?.channels.keys() ?? [])]
  // What follows under the new name comes after all that was said under the old one.
  if (event.kind === 'channel.renamed') return [event.channel, channelKey(event.name)]
  return 'channel' in event ? event.channel : undefined
}
