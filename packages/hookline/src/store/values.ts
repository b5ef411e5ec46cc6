// Rows that go to the store's thread in bulk, as tuples in column order: objects would send their keys each time.
import type { KeptMessage, NewDelivery, Outcome, Thread } from './deliveryrows.ts'
import type { HistoryRow } from './historyrows.ts'

export type HistoryValues = readonly [
  id: string,
  time: number,
  command: string,
  conversation: string,
  target: string,
  from: string,
  mask: string,
  account: string | null,
  isBot: 0 | 1,
  text: string,
  tags: string,
  delivery: string | null,
  rank: string | null,
  closed: number | null,
]

/** The body last: its stored form is made in the other thread. */
export type DeliveryValues = readonly [
  id: string,
  bot: string,
  receivedAt: number,
  key: string | null,
  event: string | null,
  headers: string,
  isKeyEnough: boolean,
  body: Uint8Array,
]

export type StoryValues = readonly [
  status: string,
  finishedAt: number | null,
  text: string | null,
  error: string | null,
  channels: string,
  composedBy: string | null,
  unresolved: string | null,
  reason: string | null,
  woken: string | null,
]

export type KeptValues = readonly [
  id: string,
  nick: string,
  command: string,
  source: string,
  text: string,
  time: number,
  delivery: string | null,
]

export type OutcomeValues = readonly [
  story: StoryValues,
  said: readonly HistoryValues[],
  kept: readonly KeptValues[],
  thread: Thread | undefined,
]

/** Where the values are that are looked at on the way; the tables take the others as they come. */
export const HISTORY = { id: 0, time: 1, conversation: 3, tags: 10 } as const
export const DELIVERY = { bot: 1, key: 3, isKeyEnough: 6, body: 7 } as const
export const STORY = { text: 2 } as const
export const KEPT = { nick: 1 } as const

export function historyValues(row: HistoryRow): HistoryValues {
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
  ]
}

export function withTags(values: HistoryValues, tags: string): HistoryValues {
  return values.with(HISTORY.tags, tags) as readonly unknown[] as HistoryValues
}

export function deliveryValues(delivery: NewDelivery): DeliveryValues {
  const { id, bot, receivedAt, key, isKeyEnough = false, event, headers, body } = delivery
  return [id, bot, receivedAt, key, event, JSON.stringify(headers), isKeyEnough, body]
}

export function outcomeValues(outcome: Outcome): OutcomeValues {
  const { status, finishedAt, text, error, channels, composedBy, unresolved, reason, woken } = outcome
  const where = JSON.stringify(channels)
  const missing = jsonOf(unresolved)
  return [
    [status, finishedAt, text, error, where, composedBy, missing, reason, jsonOf(woken)],
    outcome.history.map(historyValues),
    outcome.kept.map(keptValues),
    outcome.thread,
  ]
}

export function keptValues(message: KeptMessage): KeptValues {
  const { id, nick, command, source, text, time, delivery } = message
  return [id, nick, command, source, text, time, delivery]
}

function jsonOf(list: readonly string[]): string | null {
  return list.length === 0 ? null : JSON.stringify(list)
}
