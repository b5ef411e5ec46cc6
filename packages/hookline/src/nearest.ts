// "Did you mean", for words in files: looser than control/nearest.ts, which is for typed commands.

/** The most likely known word: at most half of its letters differ. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const ranked = known
    .map((candidate) => ({ candidate, distance: editDistance(word.toLowerCase(), candidate.toLowerCase()) }))
    .toSorted((a, b) => a.distance - b.distance)
  const best = ranked[0]
  return best && best.distance <= best.candidate.length / 2 ? best.candidate : undefined
}

function editDistance(from: string, to: string): number {
  if (Math.abs(from.length - to.length) > 8) return Infinity
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let index = 0; index < from.length; index++) {
    const next = [index + 1]
    for (let column = 0; column < to.length; column++) {
      const change = (row[column] ?? 0) + (from[index] === to[column] ? 0 : 1)
      next.push(Math.min(change, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1))
    }
    row = next
  }
  return row.at(-1) ?? 0
}
