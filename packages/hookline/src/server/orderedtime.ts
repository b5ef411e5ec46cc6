// A time of day that keeps the order: what was said later has a later time.

/**
 * After the machine's clock is set back, time runs at half speed until the clock has caught up. A clock set back by more than a day
 * was wrong before, and is believed at once: `wasAhead` is told since when its time is right. `machine` is never far behind the time that
 * has passed (see store/trustedclock.ts), `elapsed` is monotonic; `before` is the latest time used by an earlier run.
 */
export function orderedTime(
  machine: () => number,
  elapsed: () => number,
  { before = 0, wasAhead = () => {} }: { before?: number; wasAhead?: (since: number) => void } = {},
): () => number {
  let latest = before
  /** Where time was when the machine's clock fell behind. */
  let from: { readonly elapsed: number; readonly time: number } | undefined
  return () => {
    const now = machine()
    const isFarBehind = now < latest - DAY_MS
    if (now >= latest || isFarBehind) {
      from = undefined
      latest = now
      if (isFarBehind) wasAhead(now)
      return now
    }
    from ??= { elapsed: elapsed(), time: latest }
    return (latest = Math.floor(from.time + (elapsed() - from.elapsed) / 2))
  }
}

const DAY_MS = 86_400_000
