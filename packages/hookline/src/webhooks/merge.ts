// Merges held messages: the first speaks for all, and the others record where they went.
import { cleanPayloadText } from '../message/clean.ts'
import type { ActiveBot } from '../bots/roster.ts'
import { formatDuration } from '../chat/duration.ts'
import { fitText } from './message.ts'
import { type Message, type Poster, SAFE_ROOM, type Settled } from './poster.ts'

/** A composed message that is not sent yet. */
export interface Waiting {
  /** The delivery's id. */
  readonly id: string
  readonly message: Message
  readonly event: string | null
}

/** The others are settled with a reason that points to the first. They were held for `ms`. */
export function merge(
  poster: Poster,
  bot: ActiveBot,
  held: readonly Waiting[],
  ms: number,
): readonly Settled[] {
  const [first, ...others] = held
  if (!first) return []
  if (others.length === 0)
    return [{ id: first.id, prepared: poster.prepare(bot.name, first.message, first.id) }]
  const { coalesceMs, burst } = bot.settings.output
  // If an edit has turned off what held them, they are joined rather than counted.
  const isJoined = coalesceMs !== undefined || burst === undefined
  const telling = isJoined ? joined(held) : { text: counted(bot.name, held, ms) }
  const unresolved = [...new Set(held.flatMap(({ message }) => message.unresolved))]
  // The first message's own line limit does not apply to all of them.
  const { maxLines: _, thread, ...said } = first.message
  const isOneThread = isJoined && held.every(({ message }) => message.thread === thread)
  const message = { ...said, ...telling, unresolved, thread: isOneThread ? thread : undefined }
  const prepared = poster.prepare(bot.name, message, first.id)
  const reason = isJoined ? `posted together with ${first.id}` : `counted in the message of ${first.id}`
  return [
    { id: first.id, prepared: poster.withReason(prepared, `represents ${held.length} deliveries`) },
    ...others.map(({ id, message }) => ({
      id,
      prepared: poster.mergedInto(prepared, bot, { id, message, reason, isWhole: isJoined }),
    })),
  ]
}

function joined(held: readonly Waiting[]): Pick<Message, 'text' | 'shown'> {
  return { text: held.map(({ message }) => message.text).join('\n'), shown: held.map(shownOf).join('\n') }
}

/** A message with a lower line limit keeps it here, so that those after it are seen. */
function shownOf({ id, message: { text, maxLines } }: Waiting): string {
  if (maxLines === undefined) return text
  return fitText(text, { room: SAFE_ROOM, maxLines, delivery: id }).text
}

/** `14 more messages in 6s: 12 push, 2 issues (see: hookline bot deliveries spark-ori-ci)` */
function counted(name: string, held: readonly Waiting[], ms: number): string {
  const counts = new Map<string, number>()
  for (const { event } of held) if (event !== null) counts.set(event, (counts.get(event) ?? 0) + 1)
  const kinds = [...counts].map(([event, count]) => `${count} ${event.slice(0, 40)}`).slice(0, 5)
  // The sender chose the event names.
  const what = kinds.length > 0 ? `: ${cleanPayloadText(kinds.join(', '))}` : ''
  const time = formatDuration(Math.max(1_000, Math.round(ms / 1_000) * 1_000))
  return `${held.length} more messages in ${time}${what} (see: hookline bot deliveries ${name})`
}
