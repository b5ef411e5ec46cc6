// Text columns, each as wide as its widest cell.

/** The header and rows as lines; the last column is not padded. */
export function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [heads, ...rows]
  // Not Math.max(...): a call takes some 120,000 arguments, and there may be more accounts.
  const widths = heads.map((_, column) =>
    all.reduce((widest, row) => Math.max(widest, width(row[column] ?? '')), 0),
  )
  return all.map((row) => lineOf(row, widths)).join('\n')
}

/** `name  value` lines with aligned values; further lines of a value are indented to match. */
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

/**
 * Width in terminal columns: East Asian letters and emoji take two, combining marks none.
 * https://www.unicode.org/reports/tr11/
 */
function width(text: string): number {
  return Array.from(text.replace(MARKS, '').replace(WIDE, '..')).length
}

const MARKS = /\p{M}|\u200d/gu
const WIDE =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\u3000-\u303e\uff01-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/gu
