// A delivery, as commands print it.
import { reasonIn } from '../../handlers/reason.ts'
import { wrong } from '../../control/failure.ts'
import type { Delivery, DeliveryRecord } from '../../store/deliveryrows.ts'
import type { Refused } from '../../webhooks/refused.ts'
import { as, type OutputOf } from '../shape.ts'

export const LIMIT = {
  name: 'limit',
  type: 'number',
  value: 'N',
  default: 20,
  range: [1, 1000],
  description: 'how many of the newest',
} as const

export const DELIVERY = {
  /** `-` for what was refused: nothing is kept of it that could be run again. */
  id: 'text',
  bot: 'text',
  received_at: 'time',
  finished_at: 'time or null',
  status: as<'posted' | 'skipped' | 'failed' | 'pending' | 'refused'>()('text'),
  /** The sender's name for it: `push`. */
  event: 'text or null',
  channels: ['text'],
  text: 'text or null',
  error: 'text or null',
  /** What went wrong, without the traceback. */
  error_line: 'text or null',
  /** Of a refusal: how many like it came, each within a minute of the one before. */
  attempts: 'number',
  /** `output.template`, `handler.py`, `fallback json`. */
  composed_by: 'text or null',
  /** Tokens without a value. */
  unresolved: ['text'],
  /** Why nothing was posted, if nothing failed. */
  reason: 'text or null',
  woken: ['text'],
} as const

export const DETAILS = {
  ...DELIVERY,
  /** Without the headers that prove the sender. */
  headers: as<Readonly<Record<string, string>>>()('object'),
  /** As received; null once it is no longer kept. */
  payload: 'text or null',
} as const

export type DeliveryView = OutputOf<typeof DELIVERY>
export type DeliveryDetails = OutputOf<typeof DETAILS>

/** A refusal among deliveries: when it last came, and why. */
export function viewRefused(bot: string, { last, count, status, error, detail }: Refused): DeliveryView {
  const when = new Date(last).toISOString()
  const why = `${status} ${error}${detail === null ? '' : `: ${detail}`}`
  return {
    id: '-',
    bot,
    received_at: when,
    finished_at: when,
    status: 'refused',
    event: null,
    channels: [],
    text: null,
    error: why,
    error_line: why,
    attempts: count,
    composed_by: null,
    unresolved: [],
    reason: null,
    woken: [],
  }
}

export function viewDelivery(row: DeliveryRecord): DeliveryView {
  return {
    id: row.id,
    bot: row.bot,
    received_at: new Date(row.receivedAt).toISOString(),
    finished_at: row.finishedAt === null ? null : new Date(row.finishedAt).toISOString(),
    status: row.status,
    event: row.event,
    channels: row.channels,
    text: row.text,
    error: row.error,
    error_line: row.error === null ? null : reasonIn(row.error),
    attempts: row.attempts,
    composed_by: row.composedBy,
    unresolved: row.unresolved,
    reason: row.reason,
    woken: row.woken,
  }
}

export function detailsOf(row: Delivery): DeliveryDetails {
  return {
    ...viewDelivery(row),
    headers: row.headers,
    payload: row.body === null ? null : Buffer.from(row.body).toString('utf8'),
  }
}

export function noDelivery(id: string) {
  return wrong('not_found', `there is no delivery ${JSON.stringify(id)}`, 'see: hookline bot deliveries')
}
