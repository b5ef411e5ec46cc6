// LIST: which channels there are. ELIST=CMNTU: by creation time, mask, inverse mask, topic time, and number of users.
// https://modern.ircdocs.horse/#list-message
import { fold, matchesMask } from '../../irc/names.ts'
import * as numerics from '../../irc/numerics.ts'
import type { Command, UserTurn } from '../command.ts'
import { tellInPieces } from '../output/pieces.ts'
import { maySeeChannel } from '../rules/see.ts'
import type { Channel } from '../state.ts'

export const LIST: Command = {
  name: 'LIST',
  minParams: 0,
  when: 'registered',
  help: [
    'LIST [<channel or mask>{,<channel or mask>}] [<condition>{,<condition>}]: lists channels',
    'LIST >n or <n: with more or fewer than n users',
    'LIST C<n or C>n: created less or more than n minutes ago; T<n or T>n: the same for the topic',
    'LIST !<mask>: all channels that do not match',
  ],
  run(turn, { params: [names = '', conditions = ''] }) {
    const now = turn.chat.world.now()
    // Anything else here is the name of a server, as in RFC 2812.
    const more = conditions.split(',').filter((each) => /^(?:!|[CT]?[<>])/i.test(each))
    const tests = [...names.split(','), ...more]
      .filter((each) => each !== '')
      .map((each) => condition(each, now))
    tellInPieces(turn.chat, turn.session, listed(turn, tests))
  },
}

function* listed({ state, user, reply }: UserTurn, tests: readonly Condition[]): Generator {
  const masks = tests.filter(({ isMask }) => isMask)
  const others = tests.filter(({ isMask }) => !isMask)
  const isMeant = (channel: Channel) =>
    (masks.length === 0 || masks.some(({ holds }) => holds(channel))) &&
    others.every(({ holds }) => holds(channel))
  reply(numerics.RPL_LISTSTART, 'Channel')
  // Those that are there now: a renamed one moves to the end, where it would be listed again.
  for (const channel of Array.from(state.channels.values())) {
    const isThere = state.channels.get(channel.key) === channel
    if (isThere && maySeeChannel(channel, user) && isMeant(channel))
      reply(numerics.RPL_LIST, channel.name, String(channel.members.size), channel.topic?.text ?? '')
    yield
  }
  reply(numerics.RPL_LISTEND)
}

interface Condition {
  /** Any one of the masks must match; all of the other conditions must hold. */
  readonly isMask: boolean
  readonly holds: (channel: Channel) => boolean
}

function condition(text: string, now: number): Condition {
  const [, letter = '', sign = '', digits = ''] = /^([CT]?)([<>])(\d{1,9})$/i.exec(text) ?? []
  const number = Number(digits)
  if (sign !== '') {
    const compare = (value: number) => (sign === '<' ? value < number : value > number)
    const minutesSince = (at: number) => (now - at) / 60_000
    switch (letter.toUpperCase()) {
      case 'C':
        return { isMask: false, holds: (channel) => compare(minutesSince(channel.createdAt)) }
      case 'T':
        return { isMask: false, holds: ({ topic }) => topic !== undefined && compare(minutesSince(topic.at)) }
      default:
        return { isMask: false, holds: (channel) => compare(channel.members.size) }
    }
  }
  if (text.startsWith('!')) {
    const mask = fold(text.slice(1))
    return { isMask: false, holds: (channel) => !matchesMask(mask, channel.key) }
  }
  const mask = fold(text)
  return { isMask: true, holds: (channel) => matchesMask(mask, channel.key) }
}
