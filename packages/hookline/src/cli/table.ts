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

/** Places on a terminal: letters of East Asia and emoji take two, marks upon a letter none. https://www.unicode.org/reports/tr11/ */
function width(text: string): number {
  return Array.from(text.replace(marks, '').replace(wide, '..')).length
}

const marks = /\p{M}|\u200d/gu
const wide =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\u3000-\u303e\uff01-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/gu
