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
      if (wanted > left) return false
      left -= wanted
      return true
    },
    left: () => left,
  }
}
