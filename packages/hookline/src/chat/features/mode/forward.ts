// Channel mode +f: those who cannot join are forwarded to another channel. As in Ergo: one step, and not for those who are banned.
// https://github.com/ergochat/ergo/blob/stable/docs/MANUAL.md
import type { ModeChange } from '../../../irc/modes.ts'
import * as numerics from '../../../irc/numerics.ts'
import type { UserTurn } from '../../command.ts'
import { isBanned } from '../../rules/ban.ts'
import { refusesJoin } from '../../rules/join.ts'
import { mayModerate } from '../../rules/rank.ts'
import { findVisible, maySeeChannel } from '../../rules/see.ts'
import { type Channel, findChannel, type State, type User } from '../../state.ts'

/** Only to an existing channel that the user also runs, or it would be flooded with people it never asked for. */
export function settleForward(
  { state, user, reply }: UserTurn,
  channel: Channel,
  sign: ModeChange['sign'],
  name: string | undefined,
): ModeChange<'f'> | undefined {
  if (sign === '-') return channel.forward === undefined ? undefined : { sign, mode: 'f' }
  if (name === undefined) return void reply(numerics.ERR_NEEDMOREPARAMS, 'MODE')
  const target = findVisible(state, user, name)
  if (target === undefined || target.key === channel.key) {
    return void reply(
      numerics.ERR_INVALIDMODEPARAM,
      channel.name,
      'f',
      name,
      'The target must be another channel that exists',
    )
  }
  if (!mayModerate(target, user)) return void reply(numerics.ERR_CHANOPRIVSNEEDED, target.name)
  return channel.forward === target.name ? undefined : { sign, mode: 'f', param: target.name }
}

/** Where somebody who cannot join is forwarded; undefined if nowhere. A secret channel that refuses them, too, is not revealed. */
export function forwardOf(state: State, channel: Channel, user: User): Channel | undefined {
  if (channel.forward === undefined || isBanned(channel, user)) return undefined
  const forward = findChannel(state, channel.forward)
  if (forward === undefined || maySeeChannel(forward, user)) return forward
  return refusesJoin(forward, user, undefined) === undefined ? forward : undefined
}
