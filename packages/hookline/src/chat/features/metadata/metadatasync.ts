// Metadata that a connection does not know yet: of a channel that it joins, of somebody who appears, of itself.
// https://github.com/ircv3/ircv3-specifications/pull/613 (Automatic synchronization, Postponed synchronization)
import * as numerics from '../../../irc/numerics.ts'
import type { Chat } from '../../chat.ts'
import type { UserTurn } from '../../command.ts'
import { KeyTelling, VISIBILITY } from '../../output/keyvalue.ts'
import type { Telling } from '../../output/line.ts'
import { batchInSteps, hasMuchUnread, tellInPieces } from '../../output/pieces.ts'
import { mayKnowUser, readsMetadata } from '../../rules/metadata.ts'
import { mayNameIn } from '../../rules/see.ts'
import type { Session } from '../../session.ts'
import { type Channel, findUser, metadataOf, type User } from '../../state.ts'

/** All that a client sees. */
export const EVERYTHING = '*ALL'

/** The keys that this session subscribed to, for the channel and everybody it sees there, as part of a longer answer. */
export function* channelInSteps(chat: Chat, session: Session, channel: Channel): Generator {
  yield* sync(chat, session, channel.name, ofChannel(chat, session, channel, new Set()))
}

export function syncChannel(chat: Chat, session: Session, channel: Channel): void {
  tellInPieces(chat, session, channelInSteps(chat, session, channel))
}

export function syncUser(chat: Chat, session: Session, user: User): void {
  tellInPieces(chat, session, sync(chat, session, user.nick, ofUser(chat, session, user)))
}

export function syncEverything(chat: Chat, session: Session): void {
  tellInPieces(chat, session, sync(chat, session, EVERYTHING, ofEverything(chat, session)))
}

/** Part of the welcome: its own, whether subscribed to or not. */
export function tellOwn(chat: Chat, session: Session, user: User): void {
  if (!readsMetadata(session)) return
  const lines = [...metadataOf(chat.state, user)].map(
    ([key, value]) => new KeyTelling(chat, user.nick, key, value),
  )
  tellInPieces(chat, session, sync(chat, session, user.nick, lines))
}

/** Part of WHOIS. */
export function tellWhoisMetadata({ chat, session, user: viewer, reply }: UserTurn, user: User): void {
  if (!readsMetadata(session) || !mayKnowUser(viewer, user)) return
  for (const [key, value] of metadataOf(chat.state, user))
    reply(numerics.RPL_WHOISKEYVALUE, user.nick, key, VISIBILITY, value)
}

/** With a 730: the metadata of the one user, or a note to ask for that of several. */
export function tellOnline(chat: Chat, session: Session, users: readonly User[]): void {
  if (!readsMetadata(session)) return
  const [user, ...others] = users
  if (others.length > 0) return tellLater(chat, session, EVERYTHING, 0)
  if (user === undefined) return
  if (hasMuchUnread(session)) tellLater(chat, session, user.nick, BUSY_SECONDS)
  else syncUser(chat, session, user)
}

/** Tells a client to ask with SYNC, after this many seconds. */
export function tellLater(chat: Chat, session: Session, target: string, seconds: number): void {
  chat.reply(session, numerics.RPL_METADATASYNCLATER, target, String(seconds))
}

/** For a client that reads too slowly to be sent what it did not just ask for. */
const BUSY_SECONDS = 5

function* sync(chat: Chat, session: Session, target: string, lines: Iterable<Telling>): Generator {
  if (!readsMetadata(session)) return
  yield* batchInSteps(chat, session, { type: 'metadata', params: [target], lines })
}

function* ofEverything(chat: Chat, session: Session): Generator<Telling> {
  const { user: viewer } = session
  if (viewer === undefined) return
  const told = new Set<User>([viewer])
  yield* ofUser(chat, session, viewer)
  for (const channel of viewer.channels.values()) yield* ofChannel(chat, session, channel, told)
  for (const nick of session.monitored.values()) {
    const user = findUser(chat.state, nick)
    if (user !== undefined && !told.has(user)) yield* ofUser(chat, session, user)
  }
}

/** Each user once: those in `told` are skipped. */
function* ofChannel(chat: Chat, session: Session, channel: Channel, told: Set<User>): Generator<Telling> {
  const { subscriptions, user: viewer } = session
  if (subscriptions.size === 0 || viewer === undefined) return
  for (const [key, value] of channel.metadata)
    if (subscriptions.has(key)) yield new KeyTelling(chat, channel.name, key, value)
  for (const { user } of channel.members.values()) {
    if (told.has(user) || !mayNameIn(channel, viewer, user)) continue
    told.add(user)
    yield* ofUser(chat, session, user)
  }
}

function* ofUser(chat: Chat, { subscriptions, user: viewer }: Session, user: User): Generator<Telling> {
  if (subscriptions.size === 0 || viewer === undefined || !mayKnowUser(viewer, user)) return
  for (const [key, value] of metadataOf(chat.state, user))
    if (subscriptions.has(key)) yield new KeyTelling(chat, user.nick, key, value)
}
