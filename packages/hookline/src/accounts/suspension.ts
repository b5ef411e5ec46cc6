// Whether an account is suspended, by whom, why and until when.
import { formatMinute } from '../irc/time.ts'

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
  /** Undefined: until it is lifted, or as long as it has. */
  readonly durationMs?: number | undefined
}

/** Null for an account that is not suspended, or no longer. Earlier versions stored no end. */
export function suspensionOf(
  { suspended }: { readonly suspended: string | null },
  now: number,
): Suspension | null {
  if (suspended === null) return null
  const stored = {
    until: null,
    ...(JSON.parse(suspended) as Omit<Suspension, 'until'> & Partial<Suspension>),
  }
  return stored.until !== null && stored.until <= now ? null : stored
}

/** For whoever could log in otherwise. */
export function refusalText({ until, reason }: Suspension): string {
  const end = until === null ? '' : ` until ${formatMinute(until)}`
  return `this account is suspended${end}${reason === '' ? '' : `: ${reason}`}`
}
