// Aligned columns of names and values.

/** `name  value` lines, of names that are plain ASCII; further lines of a value are indented to match. */
export function fields(pairs: readonly (readonly [string, string])[]): string {
  const widest = Math.max(...pairs.map(([name]) => name.length))
  const indent = `\n${' '.repeat(widest + 2)}`
  return pairs
    .map(([name, value]) => `${name.padEnd(widest)}  ${value.replaceAll('\n', indent)}`.trimEnd())
    .join('\n')
}
