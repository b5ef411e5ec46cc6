// What happened in the chat, as bots react to it: where, by whom, and with which payload.
import type { HappeningKind } from '../bots/file/triggertypes.ts'
import type { Entry, Event, Said } from '../chat/events.ts'
import { changeOf } from '../chat/features/index.ts'
import { leastOf } from '../chat/target.ts'
import { textOf } from '../chat/saidlines.ts'
import { isHidden } from '../chat/rules/see.ts'
import { type Channel, isBot, type State, type User, type UserKey } from '../chat/state.ts'

export interface Happening {
  readonly kind: HappeningKind
  /** Who did it: never a bot. */
  readonly by: string
  /** The channels in which it was seen. */
  readonly channels: readonly Channel[]
  /** The part of the payload that is the same in every channel. */
  readonly facts: Readonly<Record<string, string | null>>
}

/** What bots can react to, as bot.yaml names it. */
export const KINDS = {
  'channel.joined': 'join',
  'channel.parted': 'part',
  'user.quit': 'quit',
  'channel.kicked': 'kick',
  'nick.changed': 'nick',
  'topic.changed': 'topic',
  said: 'message',
} as const satisfies { readonly [K in Event['kind']]?: HappeningKind }

type Observable = Extract<Event, { readonly kind: keyof typeof KINDS }>

export function isObservable(entry: Entry): entry is Entry<Observable> {
  return entry.event.kind in KINDS
}

/**
 * To be called after the entry has been applied; `change` is the result of that. Undefined for what concerns no bot, and for
 * everything that a bot or a user without a connection does: else bots could answer each other for ever.
 */
export function happeningOf(state: State, entry: Entry<Observable>, change: unknown): Happening | undefined {
  const { event } = entry
  switch (event.kind) {
    case 'channel.joined': {
      const joined = inChannel(state, entry, event, {})
      return seen(joined, hidesNow(state, event.user))
    }
    case 'channel.parted': {
      const { isHidden: wasHidden } = changeOf(event, change)
      const facts = { reason: event.reason ?? '' }
      return seen(inChannel(state, entry, event, facts), () => wasHidden)
    }
    case 'channel.kicked': {
      const { isHidden: wasHidden } = changeOf(event, change)
      const kicked = state.users.get(event.user)?.nick ?? ''
      const facts = { kicked, reason: event.reason }
      const where = { user: event.by, channel: event.channel }
      return seen(inChannel(state, entry, where, facts), () => wasHidden)
    }
    case 'topic.changed':
      return inChannel(state, entry, { user: event.by, channel: event.channel }, { topic: event.text })
    case 'said':
      return speech(state, entry, event)
    case 'user.quit': {
      // The user is gone from the state; `userQuit` returns it as it was.
      const gone = changeOf(event, change)
      return seen(told(entry, gone, { reason: event.reason }), ({ key }) => gone.hiddenIn.has(key))
    }
    case 'nick.changed': {
      // `nickChanged` returns the old nick.
      const renamed = told(entry, state.users.get(event.user), { was: changeOf(event, change) })
      return seen(renamed, hidesNow(state, event.user))
    }
  }
}

// A NOTICE never gets an automatic reply (RFC 2812, 3.3.2), and what only some members hear is not for a bot.
function speech(state: State, entry: Entry<Observable>, event: Said): Happening | undefined {
  const { command, to, from, lines } = event
  if (command !== 'PRIVMSG' || !('channel' in to) || leastOf(to) !== undefined) return undefined
  const text = textOf(lines)
  if (text.startsWith('\x01')) return undefined // CTCP asks a client, not a bot
  const said = inChannel(state, entry, { user: from, channel: to.channel }, { text, msgid: entry.id })
  if (event.as === undefined || said === undefined) return said
  // By the one it is said for, not the user who relays it: others do not share what that user may ask of a bot.
  const { nick } = event.as
  return { ...said, by: nick, facts: { ...said.facts, nick, account: null } }
}

/** Without the channels that hide from members without rank who it was (+u). */
function seen(happening: Happening | undefined, hides: (channel: Channel) => boolean): Happening | undefined {
  const channels = happening?.channels.filter((channel) => !hides(channel)) ?? []
  return happening && channels.length > 0 ? { ...happening, channels } : undefined
}

function hidesNow(state: State, key: UserKey): (channel: Channel) => boolean {
  const user = state.users.get(key)
  return (channel) => user !== undefined && isHidden(channel, user)
}

function inChannel(
  state: State,
  entry: Entry<Observable>,
  { user, channel: key }: { readonly user: UserKey; readonly channel: Channel['key'] },
  facts: Happening['facts'],
): Happening | undefined {
  const channel = state.channels.get(key)
  return channel && told(entry, state.users.get(user), facts, [channel])
}

function told(
  { at, event }: Entry<Observable>,
  by: User | undefined,
  facts: Happening['facts'],
  channels: readonly Channel[] = [...(by?.channels.values() ?? [])],
): Happening | undefined {
  if (by === undefined || by.sessions.length === 0 || isBot(by)) return undefined
  const { nick, username: user, host, account } = by
  const time = new Date(at).toISOString()
  return { kind: KINDS[event.kind], by: nick, channels, facts: { nick, user, host, account, time, ...facts } }
}
