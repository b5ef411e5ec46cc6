// A connection that takes all that it is handed at once.
import type { Wire } from '../../src/chat/output/outbox.ts'

export function wireTo(take: (bytes: Uint8Array) => void): Wire {
  const nothing = () => {}
  return { waiting: 0, write: take, end: nothing, cut: nothing, pause: nothing, resume: nothing }
}
