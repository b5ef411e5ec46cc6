// The part of docs/trust.md that a run with --write writes: everything from its last heading on.
import type { Measured } from './figure.ts'

const HEADING = '## The last run'

export function pageOf(rows: readonly Row[], how: string, day = new Date()): string {
  const date = day.toLocaleDateString('en-US', { year: 'numeric', month: 'long', day: 'numeric' })
  const lines = rows.map(({ id, promise, goal, figure, isMet, excuse }) => {
    const verdict = isMet ? 'met' : `missed: ${excuse ?? 'no reason given'}`
    return `| ${[id, promise, goal, figure, verdict].map(cell).join(' | ')} |`
  })
  return [
    `${date}: ${how}.`,
    '',
    '| id | what is promised | goal | figure | |',
    '|---|---|---|---|---|',
    ...lines,
    '',
  ].join('\n')
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ')
}

/** Throws if the page has lost its heading. */
export function withRun(page: string, run: string): string {
  const at = page.indexOf(HEADING)
  if (at < 0) throw new Error(`docs/trust.md has no heading "${HEADING}"`)
  return `${page.slice(0, at)}${HEADING}\n\n${run}`
}

/** A measured figure, or why there is none. */
export interface Row extends Measured {
  readonly id: string
  readonly promise: string
  readonly goal: string
  readonly seconds: number
}
