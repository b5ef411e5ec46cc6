// All the waiting of one command, bounded: `--max-wait`.

export interface Budget {
  /** Takes these seconds, or says false and takes none. */
  readonly take: (seconds: number) => boolean
  readonly left: () => number
}

export function createBudget(seconds: number): Budget {
  let left = seconds
  return {
    take(wanted) {
      // The host says how long, and may say less than nothing.
      if (wanted > left || wanted < 0) return false
      left -= wanted
      return true
    },
    left: () => left,
  }
}
