// The words by which templates and filter rules are chosen.
import type { Payload } from './payload.ts'

/** What happened to the subject of the event: `body.action`, if it is text. */
export function actionOf({ rough }: Payload): string | null {
  const { action } = rough
  return typeof action === 'string' ? action : null
}

/** How events are compared: senders do not agree on capitals. */
export function eventKey(event: string, action?: string | null): string {
  return (action === undefined || action === null ? event : `${event}.${action}`).toLowerCase()
}
