// Messages replayed at a JOIN: what *playback's PLAY asked for just before, else the last lines for clients that cannot ask.
import { CAPS } from '../../../irc/caps.ts'
import { channelKey, type ChannelKey, isChannelName } from '../../../irc/names.ts'
import type { Chat } from '../../chat.ts'
import { batchInSteps, tellInPieces } from '../../output/pieces.ts'
import { replay } from '../../output/replay.ts'
import type { Anchor, Cut } from '../../past.ts'
import { readsEvents, sightOf } from '../../rules/history.ts'
import type { Session } from '../../session.ts'
import { Slot } from '../../slot.ts'
import { accountOf, type Channel, membership, type User } from '../../state.ts'

/** What PLAY asked for; some clients send it before they join. */
export interface Playback {
  /** Folded; undefined: all. */
  readonly targets: ReadonlySet<string> | undefined
  readonly cut: Cut
  readonly askedAt: number
}

/** Sent unasked at a JOIN: everything from `since` on. */
interface Replayed {
  readonly since: number
  readonly at: number
}

/** What PLAY asked for, for the channels that the connection is joining. */
const asked = new Slot<Session, Playback>()
/** What was replayed of the channels that it has just joined. */
const replayed = new Slot<Session, Map<ChannelKey, Replayed>>()

/** As in Ergo. */
const JOINS_WITHIN_MS = 30_000

export function keepForJoins(session: Session, playback: Playback): void {
  asked.keep(session, playback)
}

export function replayAtJoin(chat: Chat, session: Session, user: User, channel: Channel, at: number): void {
  const played = playbackFor(chat, session, channel)
  const { playbackLimit, isKept } = chat.settings.history
  const limit = played === undefined ? linesUnasked(chat, session, user) : playbackLimit
  const sight = sightOf(channel, user)
  if (!isKept || limit === 0 || sight === undefined) return
  const cut = upTo(at, played ?? { kind: 'newest' })
  const { key } = channel
  const member = membership(channel, user)
  const mayPlay = played === undefined && session.has(CAPS['znc.in/playback'])
  void chat.world.history
    .page({ sights: [sight], cut, limit, isWithEvents: played !== undefined && readsEvents(session) })
    .then((rows) => {
      if (session.isClosed || rows === undefined || rows.length === 0) return
      // Whoever has left and joined again is sent what the later JOIN asked for.
      if (channel.key !== key || membership(channel, user) !== member) return
      if (mayPlay) remember({ chat, session }, key, rows[0]?.time ?? 0)
      const lines = replay(chat, session, user, rows)
      const batch = { type: 'chathistory', params: [channel.name], lines }
      // Many channels may be joined at once.
      tellInPieces(chat, session, batchInSteps(chat, session, batch))
    })
    .catch((error: unknown) => chat.world.report(error))
}

/** What is said from `time` on is heard as it is said. */
export function upTo(time: number, cut: Cut): Cut {
  const before = (anchor: Anchor): Anchor => ('id' in anchor ? anchor : { time: Math.min(anchor.time, time) })
  if (cut.kind === 'between') return { ...cut, first: before(cut.first), second: before(cut.second) }
  return cut.kind === 'newest' ? { ...cut, before: { time } } : cut
}

/** At a JOIN: what PLAY asked for just before. */
function playbackFor(chat: Chat, session: Session, channel: Channel): Cut | undefined {
  const playback = asked.of(session)
  if (playback === undefined || chat.world.elapsed() - playback.askedAt > JOINS_WITHIN_MS) return undefined
  return playback.targets === undefined || playback.targets.has(channel.key) ? playback.cut : undefined
}

/**
 * For clients that cannot ask, or that have PLAY and do not use it: The Lounge asks once for each channel, and not again after a
 * reconnect. None without `server-time`: such a client could not tell old lines from new ones, and programs that answer what they read
 * must not be sent old lines unasked.
 */
function linesUnasked(chat: Chat, session: Session, user: User): number {
  const lines = linesWished(chat, user)
  const isSpared = session.has(CAPS['draft/chathistory']) || !session.has(CAPS['server-time'])
  if (isSpared || lines === 0) return 0
  // As many as PLAY would send, so that a PLAY that follows has nothing to add.
  return session.has(CAPS['znc.in/playback']) ? chat.settings.history.playbackLimit : lines
}

/** As chosen for the account, else the server's setting. */
function linesWished({ settings, state }: Chat, user: User): number {
  return accountOf(state, user)?.settings.autoreplayLines ?? settings.history.autoreplayLines
}

function remember({ chat, session }: { chat: Chat; session: Session }, key: ChannelKey, since: number): void {
  const at = chat.world.elapsed()
  const channels = replayed.of(session) ?? new Map<ChannelKey, Replayed>()
  for (const [each, told] of channels) {
    if (at - told.at > JOINS_WITHIN_MS) channels.delete(each)
  }
  replayed.keep(session, channels.set(key, { since, at }))
}

/** Some ask for a channel once they have joined it: what that JOIN has sent is not sent again. */
export function toldSince(chat: Chat, session: Session, name: string): number {
  const told = isChannelName(name) ? replayed.of(session)?.get(channelKey(name)) : undefined
  return told !== undefined && chat.world.elapsed() - told.at <= JOINS_WITHIN_MS ? told.since : Infinity
}
