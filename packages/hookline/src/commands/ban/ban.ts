// A ban, as commands print it.
import type { ServerBan } from '../../chat/state.ts'
import type { OutputOf } from '../shape.ts'

export const BAN = {
  /** An address or a network in its shortest form, or a folded mask. */
  target: 'text',
  /** Null: until lifted. */
  expires_at: 'time or null',
  /** Logged-in users may connect nevertheless. */
  require_sasl: 'true or false',
  by: 'text',
  created_at: 'time',
  reason: 'text',
} as const

export function viewOf({ target, needsAccount, reason, by, at, until }: ServerBan): OutputOf<typeof BAN> {
  return {
    target,
    expires_at: until === null ? null : new Date(until).toISOString(),
    require_sasl: needsAccount,
    by,
    created_at: new Date(at).toISOString(),
    reason,
  }
}

export const TARGET = {
  name: 'target',
  description: 'an address, a network or a mask',
  required: true,
} as const
