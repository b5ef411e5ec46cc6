// Messages that waited are told as one: what the first says for all of them, and what is noted of the others.
import { cleanPayloadText } from '../bots/clean.ts'
import { formatDuration } from '../bots/duration.ts'
import type { Bot } from '../bots/roster.ts'
import { toLines } from './message.ts'
import { type Message, type Poster, SAFE_ROOM, type Settled } from './poster.ts'

/** A composed message that is not told yet. */
export interface Waiting {
  /** Of its delivery. */
  readonly id: string
  readonly message: Message
  readonly event: string | null
}

/** The first stands for all of them; the others are settled with a word on where they went. They have waited for `ms`. */
export function together(poster: Poster, bot: Bot, held: readonly Waiting[], ms: number): readonly Settled[] {
  const [first, ...others] = held
  if (!first) return []
  if (others.length === 0) return [{ id: first.id, prepared: poster.prepare(bot, first.message, first.id) }]
  const { coalesceMs, burst } = bot.settings?.output ?? {}
  // Where an edit has ended the gathering nobody asks for a count.
  const isJoined = coalesceMs !== undefined || burst === undefined
  const telling = isJoined ? joined(held) : { text: counted(bot.name, held, ms) }
  const unresolved = [...new Set(held.flatMap(({ message }) => message.unresolved))]
  // Its limit is for what it says alone.
  const { maxLines: _, thread, ...said } = first.message
  const isOneThread = isJoined && held.every(({ message }) => message.thread === thread)
  const message = { ...said, ...telling, unresolved, thread: isOneThread ? thread : undefined }
  const prepared = poster.prepare(bot, message, first.id)
  const reason = isJoined ? `told together with ${first.id}` : `counted in the line of ${first.id}`
  return [
    { id: first.id, prepared: poster.because(prepared, `stands for ${held.length} deliveries`) },
    ...others.map((each) => ({
      id: each.id,
      prepared: poster.behind(prepared, each.message, reason, isJoined),
    })),
  ]
}

function joined(held: readonly Waiting[]): Pick<Message, 'text' | 'shown'> {
  return { text: held.map(({ message }) => message.text).join('\n'), shown: held.map(shownOf).join('\n') }
}

/** One that may have fewer lines than usual has no more here, so that what follows is seen. */
function shownOf({ id, message: { text, maxLines } }: Waiting): string {
  if (maxLines === undefined) return text
  return toLines(text, { room: SAFE_ROOM, maxLines, delivery: id }).lines.join('\n')
}

/** `14 more messages in 6s: 12 push, 2 issues (see: hookline bot deliveries spark-ori-ci)` */
function counted(name: string, held: readonly Waiting[], ms: number): string {
  const counts = new Map<string, number>()
  for (const { event } of held) if (event !== null) counts.set(event, (counts.get(event) ?? 0) + 1)
  const kinds = [...counts].map(([event, count]) => `${count} ${event.slice(0, 40)}`).slice(0, 5)
  // The sender chose those words.
  const what = kinds.length > 0 ? `: ${cleanPayloadText(kinds.join(', '))}` : ''
  const time = formatDuration(Math.max(1_000, Math.round(ms / 1_000) * 1_000))
  return `${held.length} more messages in ${time}${what} (see: hookline bot deliveries ${name})`
}
