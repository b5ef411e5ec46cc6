// The time of the machine, for whatever needs it never to go back: paces, and the order of what was said.

/**
 * A clock that is put back is caught up with at half its pace: until then times are ahead of it, and every stretch of time still ends.
 * `pace` only ever goes on, as `performance.now` does.
 */
export function steady(machine: () => number, pace: () => number): () => number {
  let latest = machine()
  /** Since when, and from which time on, the machine is behind. */
  let from: { readonly pace: number; readonly time: number } | undefined
  return () => {
    const now = machine()
    if (now >= latest) {
      from = undefined
      return (latest = now)
    }
    from ??= { pace: pace(), time: latest }
    return (latest = Math.floor(from.time + (pace() - from.pace) / 2))
  }
}
