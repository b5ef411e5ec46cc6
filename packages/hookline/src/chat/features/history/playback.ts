// *playback: history for clients that know it from the bouncer ZNC. PRIVMSG *playback :PLAY #tea 1558374442
// https://wiki.znc.in/Playback, as in Ergo
import { fold, isChannelName } from '../../../irc/names.ts'
import type { Chat } from '../../chat.ts'
import { lastByName, nameOf, otherParty, partyOf } from '../../conversation.ts'
import { batchInSteps, tellInPieces } from '../../output/pieces.ts'
import { replay } from '../../output/replay.ts'
import type { Cut, Past } from '../../past.ts'
import { directSince, readsEvents, sightsOf } from '../../rules/history.ts'
import type { Service, ServiceTurn, Verb } from '../../service.ts'
import type { Session } from '../../session.ts'
import type { User } from '../../state.ts'
import { keepForJoins, type Playback, toldSince, upTo } from './joinreplay.ts'

interface Played {
  readonly name: string
  /** Undefined if the disk does not answer. */
  readonly rows: readonly Past[] | undefined
}

interface Correspondent {
  readonly name: string
  readonly time: number
}

/** As in Ergo. */
const MOST_CORRESPONDENTS = 128

const NO_HISTORY = 'This server keeps no history'

const PLAY: Verb<readonly Played[] | undefined> = {
  name: 'PLAY',
  usage: 'PLAY <*|target>{,<target>} [<since> [<until>]]',
  help: 'replays messages; <since> and <until> are Unix timestamps in seconds',
  minWords: 1,
  prepare({ chat, session, user }, words) {
    const playback = playbackOf(chat, words)
    if (playback === undefined || !chat.settings.history.isKept) return undefined
    keepForJoins(session, playback)
    const cut = upTo(chat.clock.latest + 1, playback.cut)
    return collect(chat, session, user, { ...playback, cut })
  },
  run(turn, _, played) {
    const { chat, session, tell } = turn
    if (!chat.settings.history.isKept) return tell(NO_HISTORY)
    if (played === undefined) return tell('Times must be Unix timestamps in seconds, such as 1558374442')
    // All conversations together may exceed the send queue.
    tellInPieces(chat, session, told(turn, played))
  },
}

function* told({ chat, session, state, user, tell }: ServiceTurn, played: readonly Played[]): Generator {
  for (const { name, rows: all } of played) {
    if (all === undefined) {
      tell(`Messages of ${name} could not be retrieved`)
      continue
    }
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
  run({ chat, session, user, tell }, _, found) {
    if (!chat.settings.history.isKept) return tell(NO_HISTORY)
    if (found === undefined) return tell('The list could not be retrieved')
    const source = '*playback!znc@znc.in'
    for (const { name, time } of found) {
      const params = [user.nick, `${name} 0 ${(time / 1_000).toFixed(3)}`]
      session.send(chat.line({ source, command: 'PRIVMSG', params, at: chat.world.now() }))
    }
  },
}

export const PLAYBACK: Service = {
  nick: '*playback',
  about: '*playback replays messages, like the ZNC module of that name.',
  verbs: new Map([LIST, PLAY].map((verb) => [verb.name, verb])),
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
      ? (await correspondents(chat, user, since))?.map(({ name }) => name)
      : [...targets].filter((name) => !isChannelName(name))
  const names = [...channels.map(({ name }) => name), ...(nicks ?? [])]
  const limit = chat.settings.history.playbackLimit
  const pages = names.map(async (name) => {
    const sights = sightsOf(chat.state, user, name) ?? []
    const rows = await chat.world.history.page({ sights, cut, limit, isWithEvents: readsEvents(session) })
    return { name, rows }
  })
  const played: Played[] = await Promise.all(pages)
  return nicks === undefined ? [...played, { name: '*', rows: undefined }] : played
}

/** Who has written to `user`, or was written to, after `since`, with the time of the last message; undefined: the disk does not answer. */
export async function correspondents(
  chat: Chat,
  user: User,
  since: number,
): Promise<Correspondent[] | undefined> {
  const party = partyOf(user)
  const query = { channels: [], party, ...directSince(chat.state, user), limit: MOST_CORRESPONDENTS }
  const found = await chat.world.history.targets({ ...query, first: Number.MAX_SAFE_INTEGER, second: since })
  if (found === undefined) return undefined
  const times = lastByName(found, (conversation) => nameOf(chat.state, otherParty(conversation, party)))
  return Array.from(times, ([name, time]) => ({ name, time }))
}
