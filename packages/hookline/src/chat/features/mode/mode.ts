// MODE on a channel: its flags, its lists, and its members' ranks.
// https://modern.ircdocs.horse/#mode-message
import {
  formatModes,
  isFlag,
  isList,
  isRank,
  type ListMode,
  MODES_PER_COMMAND,
  type ModeChange,
  parseChannelModes,
} from '../../../irc/modes.ts'
import { fold, isChannelName, splitUserhost } from '../../../irc/names.ts'
import * as numerics from '../../../irc/numerics.ts'
import { byteLength, groupInLines } from '../../../irc/split.ts'
import { unixSeconds } from '../../../irc/time.ts'
import type { Chat } from '../../chat.ts'
import { type Command, effect, type UserTurn } from '../../command.ts'
import type { ChannelChange, ChannelModesChanged, Entry } from '../../events.ts'
import { roomFor } from '../../output/line.ts'
import { tellInPieces } from '../../output/pieces.ts'
import { completeEntry } from '../../rules/ban.ts'
import { mayChangeMode, mayModerate, rankRefusal, withRank } from '../../rules/rank.ts'
import { findVisible, isHidden, maySeeChannel, seesHidden } from '../../rules/see.ts'
import type { Session } from '../../session.ts'
import {
  type Channel,
  findChannel,
  findUser,
  maskOf,
  membership,
  mustGet,
  type User,
  type WritableChannel,
} from '../../state.ts'
import { isKnown, type KnownChange, settle } from './modesettle.ts'
import { changeOwnModes } from './usermode.ts'

export const MODE: Command = {
  name: 'MODE',
  minParams: 1,
  when: 'registered',
  help: [
    'MODE <channel|nick>: shows modes',
    'MODE <channel|nick> <modes> [<parameters>]: changes modes, as in MODE #tea +ov ann bob',
    'MODE <channel> b|e|I: lists bans, ban exceptions or invite exceptions',
    'MODE: see also HELP CMODES, HELP UMODES and HELP EXTBAN',
  ],
  run(turn, { params: [target = '', letters, ...params] }) {
    const { state, user, reply } = turn
    if (!isChannelName(target)) return changeOwnModes(turn, target, letters)
    const channel = findVisible(state, user, target)
    if (channel === undefined) return reply(numerics.ERR_NOSUCHCHANNEL, target)
    if (letters === undefined) return showModes(turn, channel)
    changeModes(turn, channel, atMost(MODES_PER_COMMAND, parseChannelModes(letters, params)))
  },
}

/** MODES counts those with a parameter; the others have the same limit. */
function atMost(most: number, changes: readonly ModeChange[]): ModeChange[] {
  const counts = { variable: 0, plain: 0 }
  return changes.filter(({ param }) => ++counts[param === undefined ? 'plain' : 'variable'] <= most)
}

function showModes({ state, user, reply }: UserTurn, channel: Channel): void {
  const isInside = membership(channel, user) !== undefined
  const changes: ModeChange[] = [...channel.flags].map((mode) => ({ sign: '+', mode }))
  const forward = findChannel(state, channel.forward ?? '')
  if (channel.forward !== undefined && (forward === undefined || maySeeChannel(forward, user)))
    changes.push({ sign: '+', mode: 'f', param: channel.forward })
  if (channel.limit !== undefined) changes.push({ sign: '+', mode: 'l', param: String(channel.limit) })
  if (channel.password !== undefined)
    changes.push({ sign: '+', mode: 'k', param: isInside ? channel.password : '*' })
  reply(numerics.RPL_CHANNELMODEIS, channel.name, ...(changes.length === 0 ? ['+'] : formatModes(changes)))
  reply(numerics.RPL_CREATIONTIME, channel.name, unixSeconds(channel.createdAt))
}

function changeModes(turn: UserTurn, channel: Channel, asked: readonly ModeChange[]): void {
  // If something is named twice, the last change counts.
  const decided = new Map<string, ChannelChange>()
  let isRefused = false
  const shown = new Set<ListMode>()
  for (const change of asked) {
    if (isList(change.mode) && change.param === undefined) {
      if (!shown.has(change.mode)) showList(turn, channel, change.mode)
      shown.add(change.mode)
      continue
    }
    if (!isKnown(change)) {
      turn.reply(numerics.ERR_UNKNOWNMODE, change.mode)
      continue
    }
    if (!mayChangeMode(channel, turn.user, change, findUser(turn.state, change.param ?? ''))) {
      if (!isRefused) refuseChange(turn, channel, change)
      isRefused = true
      continue
    }
    decided.delete(subjectOf(change))
    const settled = settle(turn, channel, change, pendingEntries(decided.values()))
    if (settled !== undefined) decided.set(subjectOf(change), settled)
  }
  proposeModes(turn, channel, [...decided.values()])
}

/** In as many lines as it takes: a truncated nick could be somebody else's. */
export function proposeModes(
  { user, propose }: UserTurn,
  channel: Channel,
  all: readonly ChannelChange[],
): void {
  const room = roomFor(maskOf(user), 'MODE', channel.name)
  const sizeOf = ({ mode, param = '' }: ChannelChange) => byteLength(`+${mode} ${param}`)
  for (const changes of groupInLines(all, sizeOf, { bytes: room }))
    propose({ kind: 'channel.modes', channel: channel.key, by: user.key, changes })
}

/** By how many entries the lists will grow or shrink. */
function pendingEntries(changes: Iterable<ChannelChange>): number {
  let count = 0
  for (const { sign, mode } of changes) if (isList(mode)) count += sign === '+' ? 1 : -1
  return count
}

/** What a change is about: a flag, a member's rank, an entry of a list. */
function subjectOf({ mode, param = '' }: KnownChange): string {
  if (isRank(mode)) return `${mode} ${fold(param)}`
  return isList(mode) ? `${mode} ${fold(completeEntry(param))}` : mode
}

/** One reply, for the first that applies: no such nick, not in the channel, no privileges. */
function refuseChange({ state, user, reply }: UserTurn, channel: Channel, { mode, param }: ModeChange): void {
  if (isRank(mode) && param !== undefined && findUser(state, param) === undefined) {
    return reply(numerics.ERR_NOSUCHNICK, param)
  }
  reply(rankRefusal(channel, user), channel.name)
}

const LIST_REPLIES = {
  b: [numerics.RPL_BANLIST, numerics.RPL_ENDOFBANLIST],
  e: [numerics.RPL_EXCEPTLIST, numerics.RPL_ENDOFEXCEPTLIST],
  I: [numerics.RPL_INVEXLIST, numerics.RPL_ENDOFINVEXLIST],
} as const

/** Whoever sees the channel may read its bans; the exceptions are for operators, since they tell how to get around a ban. */
function showList(turn: UserTurn, channel: Channel, mode: ListMode): void {
  if (mode !== 'b' && !mayModerate(channel, turn.user))
    return turn.reply(numerics.ERR_CHANOPRIVSNEEDED, channel.name)
  tellInPieces(turn.chat, turn.session, listed(turn, channel, mode))
}

function* listed({ chat, user, reply }: UserTurn, channel: Channel, mode: ListMode): Generator {
  const [entryReply, endReply] = LIST_REPLIES[mode]
  for (const { mask, by, at } of channel.lists[mode]) {
    const time = unixSeconds(at)
    const room = roomFor(chat.settings.name, entryReply.code, `${user.nick} ${channel.name} ${mask}`)
    yield reply(entryReply, channel.name, mask, setterIn(by, room - byteLength(` ${time}`)), time)
  }
  reply(endReply, channel.name)
}

/** Who set an entry, as far as there is room: its mask, its nick, or nobody. */
function setterIn(mask: string, bytes: number): string {
  return [mask, splitUserhost(mask).nick].find((each) => byteLength(each) <= bytes) ?? '*'
}

export const channelModesChanged = effect<ChannelModesChanged>({
  apply(state, { channel: key, by, changes }, { at }) {
    const channel = mustGet(state.channels, key)
    const setter = by === undefined ? '*' : maskOf(mustGet(state.users, by))
    for (const change of changes) applyChange(channel, change, setter, at)
  },
  announce(chat, event, _, entry) {
    const channel = mustGet(chat.state.channels, event.channel)
    const params = [channel.name, ...formatModes(event.changes)]
    const by = event.by === undefined ? undefined : mustGet(chat.state.users, event.by)
    const line = chat.lineBy(by, entry, 'MODE', params)
    chat.toChannel(channel, line)
    if (by !== undefined && membership(channel, by) === undefined) chat.toUser(by, line)
    const lowered = event.changes.flatMap((change) =>
      'user' in change && change.sign === '-' ? [mustGet(chat.state.users, change.user)] : [],
    )
    if (lowered.length > 0) tellHidden(chat, channel, new Set(lowered), entry)
  },
})

/**
 * Whoever loses its last rank in an auditorium is no longer seen by those without one, nor sees them, and neither would hear of the
 * other leaving: for them it leaves now.
 */
function tellHidden(chat: Chat, channel: Channel, lowered: ReadonlySet<User>, entry: Entry): void {
  const members = Array.from(channel.members.values(), ({ user }) => user)
  // Without the msgid, which is the MODE's.
  const partOf = (user: User) => chat.lineOf(user, { at: entry.at }, 'PART', [channel.name])
  for (const hidden of lowered) {
    if (!isHidden(channel, hidden)) continue
    const parted = partOf(hidden)
    for (const viewer of members)
      if (!lowered.has(viewer) && !seesHidden(channel, viewer)) chat.toUser(viewer, parted)
    for (const session of chat.sessionsOf(hidden)) tellInPieces(chat, session, goneFor(hidden, session))
  }

  function* goneFor(viewer: User, session: Session): Generator {
    for (const user of members) {
      // It may have left meanwhile, or be seen again.
      if (!isHidden(channel, viewer) || seesHidden(channel, viewer)) return
      if (user !== viewer && isHidden(channel, user)) yield session.send(partOf(user))
    }
  }
}

function applyChange(channel: WritableChannel, change: ChannelChange, by: string, at: number): void {
  const isSet = change.sign === '+'
  if ('user' in change) {
    const member = mustGet(channel.members, change.user)
    member.ranks = withRank(member.ranks, change)
  } else if (change.mode === 'k') channel.password = isSet ? change.param : undefined
  else if (change.mode === 'l') channel.limit = isSet ? Number(change.param) : undefined
  else if (change.mode === 'f') channel.forward = isSet ? change.param : undefined
  else if (isFlag(change.mode)) {
    if (isSet) channel.flags.add(change.mode)
    else channel.flags.delete(change.mode)
  } else {
    const mask = change.param ?? ''
    const kept = channel.lists[change.mode].filter((entry) => entry.mask !== mask)
    channel.lists[change.mode] = isSet ? [...kept, { mask, by, at }] : kept
  }
}
