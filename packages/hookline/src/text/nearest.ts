// "Did you mean": the known word with the smallest edit distance.

/** The word of `known` closest to `word`, or undefined when none is close. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const lower = word.toLowerCase()
  // Up to three edits, fewer for a short word: beyond that it is another word.
  const bound = Math.min(3, Math.floor(word.length / 3) + 1)
  let best: string | undefined
  let fewest = bound + 1
  for (const candidate of known) {
    const slips = distance(lower, candidate.toLowerCase(), fewest)
    if (slips < fewest) {
      best = candidate
      fewest = slips
    }
  }
  return best
}

/** Edit distance (insert, delete, change, swap neighbours); `enough` if the lengths differ by that much. */
function distance(from: string, to: string, enough: number): number {
  if (Math.abs(from.length - to.length) >= enough) return enough
  let before: number[] = []
  let last = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let i = 1; i <= from.length; i++) {
    const row = [i]
    for (let j = 1; j <= to.length; j++) {
      const same = from[i - 1] === to[j - 1] ? 0 : 1
      let cost = Math.min(at(last, j) + 1, at(row, j - 1) + 1, at(last, j - 1) + same)
      const swapped = from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1]
      if (swapped && i > 1 && j > 1) cost = Math.min(cost, at(before, j - 2) + 1)
      row.push(cost)
    }
    before = last
    last = row
  }
  return at(last, to.length)
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Infinity
}
