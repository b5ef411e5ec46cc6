// Aligned columns of names and values.

/** `name  value` lines; further lines of a value are indented to match. */
export function fields(pairs: readonly (readonly [string, string])[]): string {
  const widest = Math.max(...pairs.map(([name]) => width(name)))
  const indent = `\n${' '.repeat(widest + 2)}`
  return pairs
    .map(([name, value]) => `${pad(name, widest)}  ${value.replaceAll('\n', indent)}`.trimEnd())
    .join('\n')
}

function pad(text: string, to: number): string {
  return text + ' '.repeat(Math.max(0, to - width(text)))
}

function width(text: string): number {
  return Array.from(text).length
}
