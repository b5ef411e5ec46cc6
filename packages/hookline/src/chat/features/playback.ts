// *playback: history for clients that know it from the bouncer ZNC. PRIVMSG *playback :PLAY #tea 1558374442
// https://wiki.znc.in/Playback, as in Ergo
import { CAPS } from '../../irc/caps.ts'
import { channelKey, type ChannelKey, fold, isChannelName } from '../../irc/names.ts'
import { lastByName, nameOf, otherParty, partyOf } from '../conversation.ts'
import { Line } from '../output/line.ts'
import { batchInSteps, tellInPieces } from '../output/pieces.ts'
import { replay } from '../output/replay.ts'
import type { Cut, Past } from '../past.ts'
import { directSince, readsEvents, sightOf, sightsOf } from '../rules/history.ts'
import type { Service, ServiceTurn, Verb } from '../service.ts'
import type { Session } from '../session.ts'
import type { Chat } from '../spine.ts'
import { accountOf, type Channel, findChannel, membership, type User } from '../state.ts'

/** What PLAY asked for; some clients send it before they join. */
export interface Playback {
  /** Folded; undefined: all. */
  readonly targets: ReadonlySet<string> | undefined
  readonly cut: Cut
  readonly askedAt: number
}

/** Sent unasked at a JOIN: everything from `since` on. */
export interface Replayed {
  readonly since: number
  readonly at: number
}

interface Played {
  readonly name: string
  readonly rows: readonly Past[]
}

interface Correspondent {
  readonly name: string
  readonly time: number
}

/** The same limits as in Ergo. */
const JOINS_WITHIN_MS = 30_000
const MOST_CORRESPONDENTS = 128

const PLAY: Verb<readonly Played[] | undefined> = {
  name: 'PLAY',
  usage: 'PLAY <*|target>{,<target>} [<since> [<until>]]',
  help: 'replays messages; <since> and <until> are Unix timestamps in seconds',
  minWords: 1,
  prepare({ chat, session, user }, words) {
    const playback = playbackOf(chat, words)
    if (playback === undefined || !chat.settings.history.isKept) return undefined
    session.playback = playback
    return collect(chat, session, user, playback)
  },
  run(turn, _, played) {
    const { chat, session, tell } = turn
    if (!chat.settings.history.isKept) return tell('This server keeps no history')
    if (played === undefined) return tell('Times must be Unix timestamps in seconds, such as 1558374442')
    // All conversations together may exceed the send queue.
    tellInPieces(chat, session, told(turn, played))
  },
}

function* told({ chat, session, state, user }: ServiceTurn, played: readonly Played[]): Generator {
  for (const { name, rows: all } of played) {
    const rows = all.filter(({ time }) => time < toldSince(chat, session, name))
    // The user may have been removed while the disk was asked.
    if (sightsOf(state, user, name) === undefined || rows.length === 0) continue
    const lines = replay(chat, session, user, rows)
    yield* batchInSteps(chat, session, { type: 'chathistory', params: [name], lines })
  }
}

const LIST: Verb<readonly Correspondent[] | undefined> = {
  name: 'LIST',
  usage: 'LIST',
  help: 'lists everyone you have talked with, and when you last did',
  minWords: 0,
  prepare: ({ chat, user }) => (chat.settings.history.isKept ? correspondents(chat, user, 0) : undefined),
  run({ chat, session, user }, _, found = []) {
    for (const { name, time } of found) {
      const params = [user.nick, `${name} 0 ${(time / 1_000).toFixed(3)}`]
      session.send(
        new Line({ source: '*playback!znc@znc.in', command: 'PRIVMSG', params, at: chat.world.now() }),
      )
    }
  },
}

export const PLAYBACK: Service = {
  nick: '*playback',
  about: '*playback replays messages, like the ZNC module of that name.',
  verbs: new Map([LIST, PLAY].map((verb) => [verb.name, verb])),
}

/** At a JOIN: what PLAY asked for just before. */
function playbackFor(chat: Chat, { playback }: Session, channel: Channel): Cut | undefined {
  if (playback === undefined || chat.world.elapsed() - playback.askedAt > JOINS_WITHIN_MS) return undefined
  return playback.targets === undefined || playback.targets.has(channel.key) ? playback.cut : undefined
}

/** Undefined if a time is invalid. */
function playbackOf(chat: Chat, [targets = '', since, until]: readonly string[]): Playback | undefined {
  const after = since === undefined ? undefined : timeOf(since)
  const before = until === undefined ? undefined : timeOf(until)
  if (after === null || before === null) return undefined
  const named = targets === '*' ? undefined : new Set(targets.split(',').map(fold))
  return { targets: named, cut: cutOf(after, before), askedAt: chat.world.elapsed() }
}

function cutOf(after: number | undefined, before: number | undefined): Cut {
  if (after === undefined) return { kind: 'newest' }
  if (before === undefined) return { kind: 'newest', after: { time: after } }
  return { kind: 'between', first: { time: after }, second: { time: before } }
}

function timeOf(seconds: string): number | null {
  return /^\d{1,12}(\.\d{0,12})?$/.test(seconds) ? Math.round(Number(seconds) * 1_000) : null
}

async function collect(
  chat: Chat,
  session: Session,
  user: User,
  { targets, cut }: Playback,
): Promise<Played[]> {
  const channels = [...user.channels.values()].filter(({ key }) => targets === undefined || targets.has(key))
  const since = ('after' in cut ? cut.after?.time : undefined) ?? 0
  const nicks =
    targets === undefined
      ? (await correspondents(chat, user, since)).map(({ name }) => name)
      : [...targets].filter((name) => !isChannelName(name))
  const names = [...channels.map(({ name }) => name), ...nicks]
  const limit = chat.settings.history.playbackLimit
  const pages = names.map(async (name) => {
    const sights = sightsOf(chat.state, user, name) ?? []
    const rows = await chat.world.history.page({ sights, cut, limit, isWithEvents: readsEvents(session) })
    return { name, rows: rows ?? [] }
  })
  return Promise.all(pages)
}

async function correspondents(chat: Chat, user: User, since: number): Promise<Correspondent[]> {
  const party = partyOf(user)
  const query = { channels: [], party, ...directSince(chat.state, user), limit: MOST_CORRESPONDENTS }
  const found = await chat.world.history.targets({ ...query, first: Number.MAX_SAFE_INTEGER, second: since })
  const times = lastByName(found ?? [], (conversation) => nameOf(chat.state, otherParty(conversation, party)))
  return Array.from(times, ([name, time]) => ({ name, time }))
}

/** Some ask for a channel once they have joined it: what that JOIN has sent is not sent again. */
function toldSince(chat: Chat, session: Session, name: string): number {
  const told = isChannelName(name) ? session.replayed?.get(channelKey(name)) : undefined
  return told !== undefined && chat.world.elapsed() - told.at <= JOINS_WITHIN_MS ? told.since : Infinity
}

function remember({ chat, session }: { chat: Chat; session: Session }, key: ChannelKey, since: number): void {
  const at = chat.world.elapsed()
  session.replayed ??= new Map()
  for (const [each, told] of session.replayed) {
    if (at - told.at > JOINS_WITHIN_MS) session.replayed.delete(each)
  }
  session.replayed.set(key, { since, at })
}

/** After a JOIN: what PLAY asked for, or the last lines. */
export function replayAtJoin(chat: Chat, session: Session, user: User, channel: Channel, at: number): void {
  const asked = playbackFor(chat, session, channel)
  const { playbackLimit, isKept } = chat.settings.history
  const limit = asked === undefined ? linesUnasked(chat, session, user) : playbackLimit
  const sight = sightOf(channel, user)
  if (!isKept || limit === 0 || sight === undefined) return
  const cut = asked ?? ({ kind: 'newest', before: { time: at } } as const)
  const { key } = channel
  const mayPlay = asked === undefined && session.has(CAPS['znc.in/playback'])
  void chat.world.history
    .page({ sights: [sight], cut, limit, isWithEvents: asked !== undefined && readsEvents(session) })
    .then((rows) => {
      const now = findChannel(chat.state, channel.name)
      if (session.isClosed || rows === undefined || rows.length === 0) return
      if (now === undefined || now.key !== key || membership(now, user) === undefined) return
      if (mayPlay) remember({ chat, session }, key, rows[0]?.time ?? 0)
      const lines = replay(chat, session, user, rows)
      const batch = { type: 'chathistory', params: [now.name], lines }
      // Many channels may be joined at once.
      tellInPieces(chat, session, batchInSteps(chat, session, batch))
    })
    .catch((error: unknown) => chat.world.report(error))
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
