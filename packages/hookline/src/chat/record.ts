// What history keeps: messages, and other events seen in channels.
import { formatModes, PREFIX } from '../irc/modes.ts'
import { conversationOf } from './conversation.ts'
import type { ChannelChange, Entry, Event, Said } from './events.ts'
import { changeOf } from './features/index.ts'
import { leastOf, targetName } from './target.ts'
import { textOf } from './saidlines.ts'
import { RELAY_TAG } from './output/line.ts'
import type { PastEvent, PastMessage, HistoryChannel } from './past.ts'
import { closedSince } from './rules/history.ts'
import { isHidden } from './rules/see.ts'
import { type Channel, isBot, maskOf, mustGet, type State, type User } from './state.ts'

export type MessageRecord = PastMessage & { readonly closed?: number | undefined }
export type EventRecord = Omit<PastEvent, 'target'> & { readonly places: readonly HistoryChannel[] }

/** A message that history is to keep and has not. A TAGMSG is kept if it has one of `keptTags`. */
export function messageRecord(
  state: State,
  { id, at }: Entry,
  event: Said,
  keptTags: readonly string[],
): MessageRecord | undefined {
  const { command, as } = event
  if (event.isRecorded) return undefined
  if (command === 'TAGMSG' && !event.clientTags.some(([name]) => keptTags.includes(name))) return undefined
  const from = mustGet(state.users, event.from)
  const { rank, closed } = narrowed(state, event)
  return {
    id,
    time: at,
    command,
    conversation: conversationOf(state, event),
    target: targetName(state, event.to),
    rank,
    closed,
    from: as?.nick ?? from.nick,
    mask: as?.mask ?? maskOf(from),
    account: as === undefined ? from.account : null,
    isBot: as === undefined && isBot(from),
    text: textOf(event.lines),
    tags: tagsOf(event, from),
    delivery: event.delivery ?? null,
  }
}

/** Client-only tags and who relayed it, as JSON. */
function tagsOf({ clientTags, as }: Said, { nick }: User): string {
  if (clientTags.length === 0 && !as?.isRelayed) return '{}'
  return JSON.stringify(Object.fromEntries(as?.isRelayed ? [[RELAY_TAG, nick], ...clientTags] : clientTags))
}

function narrowed(state: State, { to }: Said): { readonly rank?: string; readonly closed?: number } {
  if ('user' in to) return {}
  const channel = mustGet(state.channels, to.channel)
  const least = leastOf(to)
  if (least === undefined) return closedSince(channel)
  // Whoever creates a channel of that name anew has every rank in it.
  return { closed: channel.createdAt, rank: PREFIX[least] }
}

/** The key is not kept: others may read history once the channel is open again. */
function withoutKey(change: ChannelChange): ChannelChange {
  return change.mode === 'k' ? { ...change, param: '*' } : change
}

const KINDS = [
  'channel.joined',
  'channel.kicked',
  'channel.modes',
  'channel.parted',
  'nick.changed',
  'topic.changed',
  'user.quit',
] as const
type Happened = Extract<Event, { kind: (typeof KINDS)[number] }>

function isHappened(event: Event): event is Happened {
  return (KINDS as readonly string[]).includes(event.kind)
}

/**
 * `change` is what `apply` returned. Leaves out joins and departures that not everybody saw (+u), and those of virtual users: a
 * bot joins at every start of the server, and a voice from the command line for every message.
 */
export function eventRecord(state: State, entry: Entry, change: unknown): EventRecord | undefined {
  return isHappened(entry.event) ? recordOf(state, entry, entry.event, change) : undefined
}

function recordOf(state: State, entry: Entry, event: Happened, change: unknown): EventRecord | undefined {
  switch (event.kind) {
    case 'channel.joined': {
      const user = mustGet(state.users, event.user)
      const channel = mustGet(state.channels, event.channel)
      const params = [user.account ?? '*', user.realname]
      return isHidden(channel, user) ? undefined : seen(entry, 'JOIN', user, [channel], params)
    }
    case 'channel.parted': {
      const { channel, isHidden: wasHidden } = changeOf(event, change)
      const params = event.reason === undefined ? [] : [event.reason]
      return wasHidden ? undefined : seen(entry, 'PART', mustGet(state.users, event.user), [channel], params)
    }
    case 'channel.kicked': {
      const { channel, isHidden: wasHidden } = changeOf(event, change)
      const params = [mustGet(state.users, event.user).nick, event.reason]
      return wasHidden ? undefined : record(entry, 'KICK', mustGet(state.users, event.by), [channel], params)
    }
    case 'channel.modes': {
      const by = event.by === undefined ? undefined : mustGet(state.users, event.by)
      const changes = event.changes.map(withoutKey)
      return record(entry, 'MODE', by, [mustGet(state.channels, event.channel)], formatModes(changes))
    }
    case 'topic.changed': {
      const channel = mustGet(state.channels, event.channel)
      return record(entry, 'TOPIC', mustGet(state.users, event.by), [channel], [event.text])
    }
    case 'nick.changed': {
      const user = mustGet(state.users, event.user)
      const where = [...user.channels.values()].filter((channel) => !isHidden(channel, user))
      return seen(entry, 'NICK', { ...user, nick: changeOf(event, change) }, where, [event.nick])
    }
    case 'user.quit': {
      const gone = changeOf(event, change)
      const where = [...gone.channels.values()].filter(({ key }) => !gone.hiddenIn.has(key))
      return seen(entry, 'QUIT', gone, where, [event.reason])
    }
  }
}

function seen(
  entry: Entry,
  command: string,
  user: User,
  channels: readonly Channel[],
  params: readonly string[],
): EventRecord | undefined {
  return user.isVirtual ? undefined : record(entry, command, user, channels, params)
}

/** `by` undefined: the server itself, whose mask is empty. */
function record(
  { id, at: time }: Entry,
  command: string,
  by: User | undefined,
  channels: readonly Channel[],
  params: readonly string[],
): EventRecord | undefined {
  if (channels.length === 0) return undefined
  const places = channels.map((channel) => ({
    conversation: channel.key,
    target: channel.name,
    ...closedSince(channel),
  }))
  const who = { mask: by === undefined ? '' : maskOf(by), account: by?.account ?? null }
  return { id, time, command, ...who, isBot: by !== undefined && isBot(by), params, places }
}
