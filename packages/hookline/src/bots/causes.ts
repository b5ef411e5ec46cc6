// What the record of a delivery of our own says: what caused it, and how many others came before it in its chain.
import type { Composed, DeliveryFacts } from '../message/composed.ts'
import type { Payload } from '../message/payload.ts'

export type Cause = 'event' | 'schedule' | 'expect'
type Headers = Readonly<Record<string, string>>

/** How many deliveries may cause each other; the next one is recorded as skipped, and causes nothing. */
export const CHAIN_MAX = 3

// No name of an HTTP header has a colon in it, so no sender can make these.
const CAUSE = 'hookline:cause'
const DEPTH = 'hookline:depth'

export function causeHeaders(cause: Cause, depth = 0): Headers {
  return depth === 0 ? { [CAUSE]: cause } : { [CAUSE]: cause, [DEPTH]: String(depth) }
}

/** Undefined for a webhook. */
export function causeOf(headers: Headers): string | undefined {
  return headers[CAUSE]
}

/** The event of a delivery that is tried again: that of a request follows from the bot's present settings, any other is our word. */
export function ownEvent(headers: Headers, event: string | null | undefined): string | undefined {
  return causeOf(headers) === undefined ? undefined : (event ?? undefined)
}

/** 0 for a delivery that no other delivery caused. */
export function depthOf(headers: Headers): number {
  return Number(headers[DEPTH] ?? 0)
}

/**
 * What a delivery of our own says without asking filter, template or handler: nothing at the end of a chain; about a silence,
 * the text in its payload, since templates and handlers for webhooks would not fit it.
 */
export function ownWords(payload: Payload, { headers }: DeliveryFacts): Composed | undefined {
  const cause = causeOf(headers)
  if (cause === undefined) return undefined
  if (depthOf(headers) > CHAIN_MAX) {
    const reason = `${CHAIN_MAX} deliveries have already triggered each other: the chain ends here`
    return { kind: 'skip', composedBy: 'trigger', reason }
  }
  const { text } = payload.rough
  if (cause !== 'expect' || typeof text !== 'string') return undefined
  return { kind: 'message', text, unresolved: [], composedBy: 'trigger.expect' }
}
