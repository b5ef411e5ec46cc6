// Columns, as wide as their widest cell.

/** Heads and rows as lines; the last column is not padded. */
export function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [heads, ...rows]
  const widths = heads.map((_, column) => Math.max(...all.map((row) => width(row[column] ?? ''))))
  return all.map((row) => lineOf(row, widths)).join('\n')
}

/** `name  value` pairs, the values under one another; further lines of a value keep its place. */
export function fields(pairs: readonly (readonly [string, string])[]): string {
  const widest = Math.max(...pairs.map(([name]) => width(name)))
  const indent = `\n${' '.repeat(widest + 2)}`
  return pairs
    .map(([name, value]) => `${pad(name, widest)}  ${value.replaceAll('\n', indent)}`.trimEnd())
    .join('\n')
}

function lineOf(row: readonly string[], widths: readonly number[]): string {
  return row
    .map((cell, column) => pad(cell, widths[column] ?? 0))
    .join('  ')
    .trimEnd()
}

function pad(text: string, to: number): string {
  return text + ' '.repeat(Math.max(0, to - width(text)))
}

function width(text: string): number {
  return Array.from(text).length
}
