// The differences between two short texts, line by line.

/** `  same`, `- only before`, `+ only now`, in an order in which both texts can be read. */
export function diffLines(before: string, now: string): readonly string[] {
  const from = linesOf(before)
  const to = linesOf(now)
  // Beyond this the table would be large; such texts are listed one after the other.
  if (from.length * to.length > MOST_CELLS) return [...from.map(minus), ...to.map(plus)]

  const common = commonLengths(from, to)
  const lines: string[] = []
  let i = 0
  let j = 0
  while (i < from.length || j < to.length) {
    const [old, fresh] = [from[i], to[j]]
    if (old !== undefined && old === fresh) {
      lines.push(`  ${old}`)
      i++
      j++
    } else if (old !== undefined && (fresh === undefined || at(common, i + 1, j) >= at(common, i, j + 1))) {
      lines.push(minus(old))
      i++
    } else {
      lines.push(plus(fresh ?? ''))
      j++
    }
  }
  return lines
}

const MOST_CELLS = 1_000_000

/** At [i][j]: the length of the longest common subsequence of both texts from there on. */
function commonLengths(from: readonly string[], to: readonly string[]): readonly (readonly number[])[] {
  const rows = Array.from({ length: from.length + 1 }, () => Array.from({ length: to.length + 1 }, () => 0))
  for (let i = from.length - 1; i >= 0; i--) {
    const row = rows[i] ?? []
    for (let j = to.length - 1; j >= 0; j--) {
      row[j] =
        from[i] === to[j] ? at(rows, i + 1, j + 1) + 1 : Math.max(at(rows, i + 1, j), at(rows, i, j + 1))
    }
  }
  return rows
}

function at(rows: readonly (readonly number[])[], i: number, j: number): number {
  return rows[i]?.[j] ?? 0
}

function linesOf(text: string): readonly string[] {
  const lines = text.split('\n')
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines
}

function minus(line: string): string {
  return `- ${line}`
}

function plus(line: string): string {
  return `+ ${line}`
}
