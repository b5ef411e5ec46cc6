// Who may read what was said.
import { CAPS } from '../../irc/caps.ts'
import { prefixesOf, RANKS, splitStatus } from '../../irc/modes.ts'
import { isChannelName } from '../../irc/names.ts'
import { between, partiesNamed, partyOf } from '../conversation.ts'
import type { Sight } from '../past.ts'
import type { Session } from '../session.ts'
import { accountOf, type Channel, findChannel, membership, type State, type User } from '../state.ts'

/**
 * Members only: server operators use `hookline history`. Undefined both if there is no such channel and if the reader is not in it,
 * so that nobody can tell which.
 */
export function sightOf(channel: Channel | undefined, user: User): Sight | undefined {
  const member = channel && membership(channel, user)
  if (channel === undefined || member === undefined) return undefined
  const [best] = member.ranks
  const ranks = best === undefined ? [] : RANKS.slice(RANKS.indexOf(best))
  return {
    conversation: channel.key,
    incarnation: channel.createdAt,
    ranks: prefixesOf(ranks),
    rankedSince: channel.inhabitedSince,
  }
}

/** By the name of a channel or a nick. Undefined: nothing there for this user, or no such name, such as `@#tea`. */
export function sightsOf(state: State, user: User, target: string): readonly Sight[] | undefined {
  if (!isChannelName(target))
    return isChannelName(splitStatus(target).name) ? undefined : directSights(state, user, target)
  const sight = sightOf(findChannel(state, target), user)
  return sight && [sight]
}

/** One's own conversations with whoever `name` stands for. Never none, though they may be empty. */
export function directSights(state: State, user: User, name: string): readonly Sight[] {
  const since = directSince(state, user)
  return partiesNamed(state, name).map((party) => ({ conversation: between(partyOf(user), party), ...since }))
}

/**
 * Without an account only the nick identifies somebody, and it may have been another's before. An account's name may have been that
 * of an earlier account, which was dropped.
 */
export function directSince(state: State, user: User): Pick<Sight, 'since' | 'notBefore'> {
  if (user.account === null) return { since: user.nickSince }
  return { notBefore: accountOf(state, user)?.createdAt }
}

/** While the channel is not open to everybody, what is said is for the members of this very channel, identified by when it was created. */
export function closedSince({ flags, password, createdAt }: Channel): { readonly closed?: number } {
  const isClosed = flags.has('i') || flags.has('R') || flags.has('s') || password !== undefined
  return isClosed ? { closed: createdAt } : {}
}

/** Outside a batch, an old JOIN could not be told from a new one. */
export function readsEvents(session: Session): boolean {
  return session.has(CAPS['draft/event-playback']) && session.has(CAPS.batch)
}
