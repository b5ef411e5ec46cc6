// The difference between two texts, in the form that `git apply` and people read.
import { diff } from 'node:util'

const AROUND = 3

/** Empty if they are the same; `before` is undefined for a new file. */
export function patchOf(file: string, before: string | undefined, after: string): string {
  // diff refuses two empty lists.
  if (before === after) return ''
  const changes = diff(linesOf(before ?? ''), linesOf(after)).map(([op, text]) => ({ sign: SIGNS[op], text }))
  const hunks = hunksOf(changes)
  if (hunks.length === 0) return ''
  const from = before === undefined ? '/dev/null' : `a/${file}`
  return [`--- ${from}`, `+++ b/${file}`, ...hunks, ''].join('\n')
}

/** Of `diff(before, after)`: what only the first has, what both have, what only the second has. */
const SIGNS = { '1': '-', '0': ' ', '-1': '+' } as const

interface Change {
  readonly sign: ' ' | '+' | '-'
  readonly text: string
}

function linesOf(text: string): string[] {
  if (text === '') return []
  return text.endsWith('\n')
    ? text.slice(0, -1).split('\n')
    : [...text.split('\n').slice(0, -1), `${text.split('\n').at(-1)}\n\\ No newline at end of file`]
}

function hunksOf(changes: readonly Change[]): readonly string[] {
  const shown = changes.map((_, index) =>
    changes.slice(Math.max(index - AROUND, 0), index + AROUND + 1).some(({ sign }) => sign !== ' '),
  )
  const lines: string[] = []
  let hunk: { old: number; new: number; lines: string[] } | undefined
  let [oldLine, newLine] = [1, 1]
  const close = (): void => {
    if (!hunk) return
    const count = (without: string): number =>
      hunk?.lines.filter((line) => !line.startsWith(without)).length ?? 0
    const range = (start: number, length: number): string => `${length === 0 ? start - 1 : start},${length}`
    lines.push(`@@ -${range(hunk.old, count('+'))} +${range(hunk.new, count('-'))} @@`, ...hunk.lines)
    hunk = undefined
  }
  for (const [index, { sign, text }] of changes.entries()) {
    if (shown[index]) {
      hunk ??= { old: oldLine, new: newLine, lines: [] }
      hunk.lines.push(sign + text)
    } else close()
    if (sign !== '+') oldLine++
    if (sign !== '-') newLine++
  }
  close()
  return lines
}
