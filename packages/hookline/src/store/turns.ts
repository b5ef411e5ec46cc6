// Several kinds of work that are done in steps.

/**
 * One step of one kind: each has its turn until it has no more to do, so that what one has left does not make the others look again.
 * Says whether there may be more; false where all had their turn.
 */
export function inTurn<T>(kinds: readonly ((asked: T) => boolean)[]): (asked: T) => boolean {
  let at = 0
  return (asked) => {
    if (kinds[at]?.(asked)) return true
    at = (at + 1) % kinds.length
    return at !== 0
  }
}
