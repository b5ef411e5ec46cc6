// The answers that a sender, or `bot replay`, gets. docs/deliveries.md
import type { Bot } from '../bots/roster.ts'
import type { DeliveryRecord, Outcome } from '../store/deliveryrows.ts'

export interface Answer {
  readonly status: number
  readonly body: AnswerBody
  /** In seconds; goes out as Retry-After. */
  readonly retryAfter?: number
}

type AnswerBody =
  | {
      readonly ok: true
      readonly id: string
      readonly status: 'posted' | 'skipped' | 'duplicate'
      readonly message: string | null
      readonly channels: readonly string[]
    }
  | { readonly ok: true; readonly id: string; readonly status: 'queued' }
  /** Of a batch, in its order. */
  | { readonly ok: true; readonly deliveries: readonly { readonly id: string; readonly status: string }[] }
  | { readonly error: string; readonly id?: string; readonly detail?: string }

/** `message` is the text as posted, when that differs from the full text. */
export function answerOutcome(id: string, outcome: Outcome, message = outcome.text): Answer {
  const { status, channels } = outcome
  if (status === 'failed') return { status: 500, body: { error: 'internal error', id } }
  return { status: 200, body: { ok: true, id, status, message, channels } }
}

export function answerDuplicate(row: DeliveryRecord): Answer {
  const { id, text, channels } = row
  if (row.status === 'pending') return answerQueued(id)
  return { status: 200, body: { ok: true, id, status: 'duplicate', message: text, channels } }
}

export function answerQueued(id: string): Answer {
  return { status: 202, body: { ok: true, id, status: 'queued' } }
}

/** For a batch of which every delivery was accepted; 202 if some are posted later. */
export function answerAll(answers: readonly Answer[]): Answer {
  const deliveries = answers.flatMap(({ body }) => {
    if (!('id' in body) || body.id === undefined) return []
    return [{ id: body.id, status: 'status' in body ? body.status : 'failed' }]
  })
  return { status: answers.some(({ status }) => status === 202) ? 202 : 200, body: { ok: true, deliveries } }
}

export function refuse(status: number, error: string, detail?: string): Answer {
  return { status, body: detail === undefined ? { error } : { error, detail } }
}

/** For what may succeed when retried. */
export function refuseForNow(status: 429 | 503, error: string, retryAfter: number, detail?: string): Answer {
  return { ...refuse(status, error, detail), retryAfter }
}

export const shuttingDown = refuseForNow(503, 'shutting down', 5)
export const notFound = refuse(404, 'bot not found')
export const notActive = notActiveBecause()

/** For a bot that takes no deliveries now. */
export function absent(bot: Bot | undefined): Answer {
  return bot ? notActive : notFound
}

export function notActiveBecause(detail?: string): Answer {
  return refuseForNow(503, 'bot not active', 30, detail)
}
