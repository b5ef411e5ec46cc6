// Limits the total waiting time of one command: `--max-wait`.

export interface Budget {
  /** Takes that many seconds, or returns false and takes none. */
  readonly take: (seconds: number) => boolean
}

export function createBudget(seconds: number): Budget {
  let left = seconds
  return {
    take(wanted) {
      // The host chooses the number, and it may be negative.
      if (wanted > left || wanted < 0) return false
      left -= wanted
      return true
    },
  }
}
