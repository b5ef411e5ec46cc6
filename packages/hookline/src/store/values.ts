// Rows that go to the store's thread in bulk, as arrays in column order: objects would send their keys each time.
import type { KeptMessage, NewDelivery, Outcome } from './deliveryrows.ts'
import type { HistoryRow } from './historyrows.ts'

export type HistoryValues = ReturnType<typeof historyValues>
export type DeliveryValues = ReturnType<typeof deliveryValues>
export type OutcomeValues = ReturnType<typeof outcomeValues>
export type StoryValues = OutcomeValues[0]
export type KeptValues = ReturnType<typeof keptValues>

export function historyValues(row: HistoryRow) {
  return [
    row.id,
    row.time,
    row.command,
    row.conversation,
    row.target,
    row.from,
    row.mask,
    row.account,
    row.isBot ? 1 : 0,
    row.text,
    row.tags,
    row.delivery,
    row.rank ?? null,
    row.closed ?? null,
  ] as const
}

/** Index of `tags`. */
const TAGS = 10

export function withTags(values: HistoryValues, tags: string): HistoryValues {
  return values.with(TAGS, tags) as readonly unknown[] as HistoryValues
}

/** The body last: its stored form is made in the other thread. */
export function deliveryValues({ id, bot, receivedAt, key, event, headers, body }: NewDelivery) {
  return [id, bot, receivedAt, key, event, JSON.stringify(headers), body] as const
}

export function bodyOf(values: DeliveryValues): Uint8Array {
  return values[BODY]
}

/** Index of `body`. */
const BODY = 6

/** Its story, its messages, what it leaves for somebody, and its thread. */
export function outcomeValues(outcome: Outcome) {
  const { status, finishedAt, text, error, channels, composedBy, unresolved, reason, woken } = outcome
  const where = JSON.stringify(channels)
  const missing = jsonOf(unresolved)
  const story = [status, finishedAt, text, error, where, composedBy, missing, reason, jsonOf(woken)] as const
  return [story, outcome.history.map(historyValues), outcome.kept.map(keptValues), outcome.thread] as const
}

export function keptValues({ id, nick, command, source, text, time, delivery }: KeptMessage) {
  return [id, nick, command, source, text, time, delivery] as const
}

function jsonOf(list: readonly string[]): string | null {
  return list.length === 0 ? null : JSON.stringify(list)
}
