// What was said, as those who follow the log read it: history, and whoever watches a channel.
import type { Entry } from './events.ts'
import { conversationOf, type Said, targetName, textOf } from './features/say.ts'
import { RELAY_TAG } from './output/line.ts'
import { type State, isBot, maskOf, type User } from './state.ts'

export interface SpokenEntry {
  readonly id: string
  readonly time: number
  readonly command: 'PRIVMSG' | 'NOTICE'
  /** The folded channel, or both folded nicks in order with a space between. */
  readonly conversation: string
  /** As shown. */
  readonly target: string
  readonly isChannel: boolean
  /** Undefined, or the rank that it was narrowed to: not everybody in the channel heard it. */
  readonly rank: string | undefined
  readonly from: string
  readonly mask: string
  readonly account: string | null
  readonly isBot: boolean
  readonly text: string
  /** Client-only tags and who relayed it, as JSON. */
  readonly tags: string
  readonly delivery: string | null
  /** History has it already. */
  readonly isRecorded: boolean
}

/** Who took a message back, for history; undefined for everything else, and where history knows already. */
export function redactionOf(
  state: State,
  { at, event }: Entry,
): { by: string; time: number; reason: string | null } | undefined {
  if (event.kind !== 'redacted' || event.isRecorded || event.by === undefined) return undefined
  const by = state.users.get(event.by)
  return by && { by: maskOf(by), time: at, reason: event.reason ?? null }
}

/** Undefined for everything that is not a message with a text. */
export function spokenOf(state: State, { id, at, event }: Entry): SpokenEntry | undefined {
  if (event.kind !== 'said' || event.command === 'TAGMSG') return undefined
  const from = state.users.get(event.from)
  if (from === undefined) return undefined
  return {
    id,
    time: at,
    command: event.command,
    conversation: conversationOf(state, event),
    target: targetName(state, event),
    isChannel: 'channel' in event.to,
    rank: 'channel' in event.to ? (event.to.heardFrom ?? event.to.rank) : undefined,
    from: event.as?.nick ?? from.nick,
    mask: event.as?.mask ?? maskOf(from),
    account: event.as === undefined ? from.account : null,
    isBot: event.as === undefined && isBot(from),
    text: textOf(event.lines),
    tags: tagsOf(event, from),
    delivery: event.delivery ?? null,
    isRecorded: event.isRecorded,
  }
}

function tagsOf({ clientTags, as }: Said, { nick }: User): string {
  if (clientTags.length === 0 && !as?.isRelayed) return '{}'
  return JSON.stringify(Object.fromEntries(as?.isRelayed ? [[RELAY_TAG, nick], ...clientTags] : clientTags))
}
