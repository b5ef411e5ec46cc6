// Runs several kinds of work in steps, in turn.

/**
 * Runs one step of one kind. Each keeps its turn until it has no more to do, so that the others need not look again meanwhile.
 * Says whether there may be more; false once all had their turn.
 */
export function inTurn<T>(kinds: readonly ((asked: T) => boolean)[]): (asked: T) => boolean {
  let at = 0
  return (asked) => {
    if (kinds[at]?.(asked)) return true
    at = (at + 1) % kinds.length
    return at !== 0
  }
}
