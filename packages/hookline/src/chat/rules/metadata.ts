// Who may read and set which metadata of users and channels, and how much of it.
import { CAPS } from '../../irc/caps.ts'
import type { Session } from '../session.ts'
import { type Channel, membership, type User } from '../state.ts'
import { mayUse } from './oper.ts'
import { mayModerate } from './rank.ts'
import { maySee } from './see.ts'

/** "A metadata-aware client is a client who has negotiated both": only such is sent what it did not ask for. */
export function readsMetadata({ caps }: Pick<Session, 'caps'>): boolean {
  return (caps & EITHER) !== 0 && (caps & CAPS.batch) !== 0
}

const EITHER = CAPS['draft/metadata-2'] | CAPS['draft/metadata-3']

/** Those who see the user; outside its channels an invisible one (+i) seems to have none. */
export function mayKnowUser(viewer: User, user: User): boolean {
  return maySee(viewer, user) || mayUse(viewer, 'metadata')
}

/** Only members may read a channel's metadata. */
export function mayKnowChannel(channel: Channel, viewer: User): boolean {
  return membership(channel, viewer) !== undefined || mayUse(viewer, 'metadata') || mayUse(viewer, 'see')
}

export function maySetOnUser(by: User, user: User): boolean {
  return by.key === user.key || mayUse(by, 'metadata')
}

export function maySetOnChannel(channel: Channel, by: User): boolean {
  return mayModerate(channel, by) || mayUse(by, 'metadata')
}

/** Which of `given` fit beside `existing`: a key that exists may always change. */
export function fitting(
  existing: ReadonlyMap<string, string>,
  given: ReadonlyMap<string, string>,
  maxKeys: number,
): [string, string][] {
  let room = maxKeys - existing.size
  return [...given].filter(([key]) => existing.has(key) || room-- > 0)
}
