// Turns what wakes a bot into a delivery, which is then treated like every other.
import { type Cause, causeHeaders } from '../bots/causes.ts'
import { parsePayload } from '../message/payload.ts'
import type { Bot } from '../bots/roster.ts'
import type { Deliveries } from '../webhooks/deliveries.ts'

export interface Occasion {
  readonly cause: Cause
  /** `chat.join` */
  readonly event: string
  /** Recognises the same occasion if it comes again; null: it cannot. */
  readonly key: string | null
  /** How many deliveries came before it in its chain. */
  readonly depth?: number
  /** The payload, besides `event`. */
  readonly facts: Readonly<Record<string, string | number | null | readonly string[]>>
}

/** Undefined when it is recorded, whatever its outcome; else it is lost, and this says why. */
export async function submit(
  deliveries: Pick<Deliveries, 'accept'>,
  bot: Bot,
  { cause, event, key, depth = 0, facts }: Occasion,
  receivedAt: number,
): Promise<string | undefined> {
  const body = new TextEncoder().encode(JSON.stringify({ event, ...facts }))
  const parsed = parsePayload(body)
  if (!parsed.ok) throw new Error(`the payload of ${event} cannot be read: ${parsed.detail}`)
  const headers = causeHeaders(cause, depth)
  const answer = await deliveries.accept(bot, parsed.payload, { key, event, headers, body, receivedAt })
  return 'ok' in answer.body || answer.body.id !== undefined ? undefined : answer.body.error
}
