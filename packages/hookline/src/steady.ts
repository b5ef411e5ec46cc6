// The time of day, for what must keep its order: what was said after something has a later time.

/**
 * A clock that is put back is caught up with at half its pace: until then times are ahead of it. One that is put back by more than a day
 * was wrong before, and is believed at once. `elapsed` only ever goes on; `before` is what the time was last, when somebody else asked.
 */
export function steady(machine: () => number, elapsed: () => number, before = 0): () => number {
  let latest = before
  /** Since when, and from which time on, the machine is behind. */
  let from: { readonly elapsed: number; readonly time: number } | undefined
  return () => {
    const now = machine()
    if (now >= latest || now < latest - DAY_MS) {
      from = undefined
      return (latest = now)
    }
    from ??= { elapsed: elapsed(), time: latest }
    return (latest = Math.floor(from.time + (elapsed() - from.elapsed) / 2))
  }
}

const DAY_MS = 86_400_000
