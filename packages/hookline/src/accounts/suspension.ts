// Whether an account is suspended, by whom, why and until when.
import { formatUntil } from '../irc/time.ts'

/** Times are in ms since 1970. */
export interface Suspension {
  readonly by: string
  readonly at: number
  readonly reason: string
  /** Null: until it is lifted. */
  readonly until: number | null
}

export interface SuspensionRequest {
  readonly by: string
  /** Empty: none, or the one that it has. */
  readonly reason: string
  /** Undefined: until it is lifted. */
  readonly durationMs?: number | undefined
}

/** As stored; null for an account that is not suspended, or no longer. Earlier versions stored no end. */
export function suspensionOf(suspended: string | null, now: number): Suspension | null {
  if (suspended === null) return null
  const { until = null, ...rest } = JSON.parse(suspended) as Omit<Suspension, 'until'> & Partial<Suspension>
  return until !== null && until <= now ? null : { ...rest, until }
}

/** For whoever could log in otherwise. */
export function refusalText({ until, reason }: Suspension): string {
  return `this account is suspended${formatUntil(until)}${reason === '' ? '' : `: ${reason}`}`
}
