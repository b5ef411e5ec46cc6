// Decides a change of a channel's modes: whether it is refused, changes nothing, or what exactly it will do.
import {
  type ChannelMode,
  isFlag,
  isList,
  isRank,
  isSetting,
  type ListMode,
  type ModeChange,
  type Rank,
} from '../../../irc/modes.ts'
import { fold } from '../../../irc/names.ts'
import * as numerics from '../../../irc/numerics.ts'
import { byteLength } from '../../../irc/split.ts'
import type { UserTurn } from '../../command.ts'
import type { ChannelChange } from '../../events.ts'
import { completeEntry, isForeign } from '../../rules/ban.ts'
import { mayChangeRank } from '../../rules/rank.ts'
import { type Channel, findUser, membership } from '../../state.ts'
import { settleForward } from './forward.ts'

/** A change of a mode that this server has. */
export type KnownChange = ModeChange<ChannelMode>

export function isKnown(change: ModeChange): change is KnownChange {
  const { mode } = change
  return isRank(mode) || isList(mode) || isFlag(mode) || isSetting(mode) || mode === 'k'
}

/** The change as it will be made; undefined if it changes nothing, or is refused. `pending`: by how many entries the lists will have grown by then. */
export function settle(
  turn: UserTurn,
  channel: Channel,
  { sign, mode, param }: KnownChange,
  pending: number,
): ChannelChange | undefined {
  if (isRank(mode))
    return settleRank(turn, channel, { sign, mode, ...(param === undefined ? {} : { param }) })
  if (isList(mode)) return settleEntry(turn, channel, { sign, mode, param: param ?? '' }, pending)
  if (isFlag(mode)) return channel.flags.has(mode) === (sign === '+') ? undefined : { sign, mode }
  switch (mode) {
    case 'f':
      return settleForward(turn, channel, sign, param)
    case 'k':
      return settleKey(turn, channel, sign, param)
    case 'l':
      return settleLimit(turn, channel, sign, param)
  }
}

/** The key can be removed without knowing it. */
function settleKey(
  { reply }: UserTurn,
  { name, password }: Channel,
  sign: ModeChange['sign'],
  param: string | undefined,
): ModeChange<'k'> | undefined {
  if (sign === '-') return password === undefined ? undefined : { sign, mode: 'k', param: password }
  if (param === undefined) return void reply(numerics.ERR_NEEDMOREPARAMS, 'MODE')
  if (!/^[^\s:,][^\s,]*$/.test(param) || byteLength(param) > KEY_BYTES)
    return void reply(numerics.ERR_INVALIDMODEPARAM, name, 'k', '*', 'Key is not well-formed')
  return password === param ? undefined : { sign, mode: 'k', param }
}

/** So that 324, which ends with it, shows all of it. */
const KEY_BYTES = 64

function settleLimit(
  { reply }: UserTurn,
  { name, limit }: Channel,
  sign: ModeChange['sign'],
  param: string | undefined,
): ModeChange<'l'> | undefined {
  if (sign === '-') return limit === undefined ? undefined : { sign, mode: 'l' }
  if (param === undefined) return void reply(numerics.ERR_NEEDMOREPARAMS, 'MODE')
  if (!/^[1-9]\d{0,8}$/.test(param))
    return void reply(numerics.ERR_INVALIDMODEPARAM, name, 'l', param, 'The limit must be a positive number')
  return limit === Number(param) ? undefined : { sign, mode: 'l', param }
}

function settleRank(turn: UserTurn, channel: Channel, change: ModeChange<Rank>): ChannelChange | undefined {
  const { state, user, reply } = turn
  if (change.param === undefined) return void reply(numerics.ERR_NEEDMOREPARAMS, 'MODE')
  const target = findUser(state, change.param)
  if (target === undefined) return void reply(numerics.ERR_NOSUCHNICK, change.param)
  const member = membership(channel, target)
  if (member === undefined) return void reply(numerics.ERR_USERNOTINCHANNEL, target.nick, channel.name)
  if (!mayChangeRank(channel, user, change, target))
    return void reply(numerics.ERR_CHANOPRIVSNEEDED, channel.name)
  if (member.ranks.includes(change.mode) === (change.sign === '+')) return undefined
  return { ...change, param: target.nick, user: target.key }
}

function settleEntry(
  { chat, reply }: UserTurn,
  channel: Channel,
  { sign, mode, param }: ModeChange<ListMode> & { param: string },
  pending: number,
): ChannelChange | undefined {
  const mask = completeEntry(param)
  if (!/^[^\s:]\S*$/.test(mask) || byteLength(mask) > MASK_BYTES || (sign === '+' && NOBODY.test(mask))) {
    return void reply(numerics.ERR_INVALIDMODEPARAM, channel.name, mode, '*', 'Mask is not well-formed')
  }
  const known = channel.lists[mode].find((entry) => fold(entry.mask) === fold(mask))
  if (sign === '-') {
    if (known === undefined) return void reply(numerics.ERR_LISTMODENOTSET, channel.name, mask, mode)
    return { sign, mode, param: known.mask }
  }
  if (isForeign(mode, mask))
    return void reply(numerics.ERR_INVALIDMODEPARAM, channel.name, mode, param, FOREIGN)
  if (known !== undefined) return void reply(numerics.ERR_LISTMODEALREADYSET, channel.name, known.mask, mode)
  const entries = channel.lists.b.length + channel.lists.e.length + channel.lists.I.length + pending
  const { channelListModes } = chat.settings.limits
  if (entries >= channelListModes) {
    const why = `${channelListModes} entries at most: ${mask} was not added`
    return void reply(numerics.ERR_BANLISTFULL, channel.name, mode, why)
  }
  return { sign, mode, param: mask }
}

const MASK_BYTES = 200
/** An empty account or nick. */
const NOBODY = /^(?:m:)?(?:a(?:ccount)?:|!\*@\*)$/i
const FOREIGN =
  'It would match nobody: write a:NAME for an account, m:MASK for a mute (b and e), *!*@HOST for an address'
