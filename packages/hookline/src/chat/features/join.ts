// JOIN: joining a channel, which exists from its first member on.
import { CAPS } from '../../irc/caps.ts'
import { type ChannelKey, channelKey, isValidChannelName } from '../../irc/names.ts'
import * as numerics from '../../irc/numerics.ts'
import type { Chat } from '../chat.ts'
import { type Command, effect, type UserTurn } from '../command.ts'
import type { ChannelJoined } from '../events.ts'
import type { Stamp } from '../eventlog.ts'
import type { Line } from '../output/line.ts'
import { tellInPieces } from '../output/pieces.ts'
import { isFirst, ranksOnJoin, refusesJoin, renamedFor } from '../rules/join.ts'
import { isHidden } from '../rules/see.ts'
import type { Session } from '../session.ts'
import { exclude, put } from '../emptycollections.ts'
import {
  type Channel,
  createdAfterAll,
  findChannel,
  membership,
  mustGet,
  type User,
  type WritableChannel,
} from '../state.ts'
import { forwardOf } from './mode/forward.ts'
import { tellMarker } from './history/markread.ts'
import { tellArrival } from './metadata/metadatachange.ts'
import { channelInSteps } from './metadata/metadatasync.ts'
import { namesOf } from './names.ts'
import { replayAtJoin } from './history/joinreplay.ts'
import { tellTopic } from './topic.ts'

export const JOIN: Command = {
  name: 'JOIN',
  minParams: 1,
  when: 'registered',
  help: ['JOIN <channel>{,<channel>} [<key>{,<key>}]: joins channels', 'JOIN 0: leaves all channels'],
  run(turn, { params: [names = '', passwords = ''] }) {
    const { user, propose } = turn
    if (names === '0') {
      for (const channel of Array.from(user.channels.keys())) {
        propose({ kind: 'channel.parted', channel, user: user.key, reason: undefined })
      }
      return
    }
    const given = passwords.split(',')
    for (const [i, name] of names.split(',').entries())
      joinOne(turn, name, { password: given[i] || undefined })
  },
}

interface JoinOptions {
  readonly password?: string | undefined
  /** Another channel forwarded the user to this one, or its old name led here: there is no second step. */
  readonly isForwarded?: boolean
}

function joinOne(turn: UserTurn, name: string, { password, isForwarded = false }: JoinOptions): void {
  const { chat, state, user, reply, propose } = turn
  const { channelLength, channelsPerUser } = chat.settings.limits
  const channel = findChannel(state, name)
  if (channel === undefined) {
    // Only here: CHANNELLEN may have been more when an older channel was created.
    if (!isValidChannelName(name, channelLength)) return reply(numerics.ERR_NOSUCHCHANNEL, name)
    const renamed = isForwarded ? undefined : formerlyNamed(turn, name)
    if (renamed !== undefined) return redirect(turn, name, renamed, password)
  } else if (membership(channel, user) !== undefined) return
  if (user.channels.size >= channelsPerUser) return reply(numerics.ERR_TOOMANYCHANNELS, name)
  const refusal = channel && refusesJoin(channel, user, password)
  if (refusal) {
    const forward = isForwarded ? undefined : forwardOf(state, channel, user)
    if (forward === undefined) return reply(refusal, channel.name)
    reply(numerics.ERR_LINKCHANNEL, channel.name, forward.name)
    return joinOne(turn, forward.name, { isForwarded: true })
  }

  propose(joining(chat, user, name))
}

function formerlyNamed({ chat, session, state, user }: UserTurn, name: string): Channel | undefined {
  const now = chat.world.now()
  const cameAt = now - (chat.world.elapsed() - session.connectedAt)
  return renamedFor(state, user, name, { now, cameAt })
}

/** With the rank that the channel gives, and the modes that it has if this creates it. */
export function joining({ settings, state }: Chat, user: User, name: string): ChannelJoined {
  const ranks = ranksOnJoin(findChannel(state, name), user)
  const flags = settings.channelFlags
  return { kind: 'channel.joined', channel: channelKey(name), name, user: user.key, ranks, flags }
}

/** https://ircv3.net/specs/extensions/channel-rename#channel-redirection */
function redirect(turn: UserTurn, name: string, { name: now }: Channel, password: string | undefined): void {
  if (turn.session.has(CAPS['draft/channel-rename']))
    return turn.fail('CHANNEL_RENAMED', [name, now], 'The channel has been renamed')
  turn.reply(numerics.ERR_LINKCHANNEL, name, now)
  joinOne(turn, now, { password, isForwarded: true })
}

/** Returns the renamed channel that the name led to until now. */
export const channelJoined = effect<ChannelJoined, ChannelKey | undefined>({
  apply(state, event, { at }) {
    const user = mustGet(state.users, event.user)
    let channel = state.channels.get(event.channel)
    const renamed = channel === undefined ? state.renamed.get(event.channel) : undefined
    if (channel === undefined) {
      channel = newChannel(event, createdAfterAll(state, at))
      state.channels.set(event.channel, channel)
      state.renamed.delete(event.channel)
    }
    const isUnclaimed = channel.registration === undefined && isFirst(channel)
    if (isUnclaimed && !user.isVirtual && !event.isBack) channel.inhabitedSince = at
    channel.members.set(user.key, { user, joinedAs: channel.key, ranks: [...event.ranks] })
    channel.version++
    user.channels = put(user.channels, channel.key, channel)
    user.invitations = exclude(user.invitations, channel.key)
    channel.invited.delete(user.key)
    return renamed?.key
  },
  announce(chat, event, _, entry) {
    const user = mustGet(chat.state.users, event.user)
    const channel = mustGet(chat.state.channels, event.channel)
    const joined = joinLine(chat, channel, user, entry)
    for (const session of chat.sessionsOf(user)) {
      tellInside(chat, session, channel, user, joined)
      replayAtJoin(chat, session, user, channel, entry.at)
    }
    const to = { isHidden: isHidden(channel, user), except: user }
    chat.toViewers(channel, joined, to)
    if (user.away !== undefined) {
      // Without the msgid, which is the JOIN's.
      const away = chat.lineOf(user, { at: entry.at }, 'AWAY', [user.away])
      chat.toViewers(channel, away, { ...to, cap: CAPS['away-notify'] })
    }
    tellArrival(chat, channel, user)
    const [rank] = event.ranks
    if (rank !== undefined && channel.members.size > 1) {
      // A bot joins with voice: the others are told, as of any rank that is given.
      const params = [channel.name, `+${rank}`, user.nick]
      chat.toChannel(channel, chat.line({ command: 'MODE', params, at: entry.at }), { except: user })
    }
  },
})

/** For a connection whose user is already in the channel: as if it had just joined. */
export function tellJoined(
  chat: Chat,
  session: Session,
  channel: Channel,
  user: User,
  stamp: Partial<Stamp>,
): void {
  tellInside(chat, session, channel, user, joinLine(chat, channel, user, stamp))
}

function joinLine(chat: Chat, { name }: Channel, user: User, stamp: Partial<Stamp>): Line {
  const extendedParams = [name, user.account ?? '*', user.realname]
  return chat.lineOf(user, stamp, 'JOIN', [name], { extendedParams })
}

function tellInside(chat: Chat, session: Session, channel: Channel, user: User, joined: Line): void {
  session.send(joined)
  tellTopic(chat, session, channel)
  tellMarker(chat, session, user, channel.name)
  tellInPieces(chat, session, membersOf(chat, session, channel, user))
}

function* membersOf(chat: Chat, session: Session, channel: Channel, user: User): Generator {
  // https://ircv3.net/specs/extensions/no-implicit-names
  if (!session.has(CAPS['no-implicit-names'])) yield* namesOf(chat, session, user, channel)
  yield* channelInSteps(chat, session, channel)
}

export function newChannel(
  { channel, name, flags }: Pick<ChannelJoined, 'channel' | 'name' | 'flags'>,
  at: number,
): WritableChannel {
  return {
    key: channel,
    name,
    formerNames: [],
    renamedAt: undefined,
    createdAt: at,
    inhabitedSince: at,
    topic: undefined,
    flags: new Set(flags),
    password: undefined,
    limit: undefined,
    forward: undefined,
    lists: { b: [], e: [], I: [] },
    members: new Map(),
    metadata: new Map(),
    invited: new Set(),
    registration: undefined,
    version: 0,
  }
}
