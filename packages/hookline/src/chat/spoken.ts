// Messages to a channel, as observers outside the chat see them.
import type { Entry } from './events.ts'
import { leastOf } from './target.ts'
import { textOf } from './saidlines.ts'
import { isBot, type State } from './state.ts'

export interface SpokenEntry {
  readonly id: string
  /** In ms. */
  readonly time: number
  readonly command: 'PRIVMSG' | 'NOTICE'
  /** As shown. */
  readonly channel: string
  readonly from: string
  readonly isBot: boolean
  readonly text: string
  readonly delivery: string | null
}

/** Undefined for everything but a text message to everybody in a channel. */
export function spokenOf(state: State, { id, at, event }: Entry): SpokenEntry | undefined {
  if (event.kind !== 'said' || event.command === 'TAGMSG' || !('channel' in event.to)) return undefined
  const from = state.users.get(event.from)
  const where = state.channels.get(event.to.channel)
  if (from === undefined || where === undefined || leastOf(event.to) !== undefined) return undefined
  return {
    id,
    time: at,
    command: event.command,
    channel: where.name,
    from: event.as?.nick ?? from.nick,
    isBot: event.as === undefined && isBot(from),
    text: textOf(event.lines),
    delivery: event.delivery ?? null,
  }
}
