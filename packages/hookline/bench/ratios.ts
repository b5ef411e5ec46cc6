// Two checkouts, round by round: how the one stands to the other.
import { type Figure, type Figures, FIGURES } from './figures.ts'

export interface Round {
  readonly mine: Figures
  readonly theirs: Figures
}

export interface Ratio {
  readonly key: string
  readonly min: number
  readonly median: number
  readonly max: number
  readonly verdict: 'better' | 'worse' | 'even'
}

/** Mine to theirs, taken within each round, since what else the machine does changes from one to the next. */
export function ratiosOf(rounds: readonly Round[]): readonly Ratio[] {
  const keys = Object.keys(rounds[0]?.mine ?? {})
  return keys.flatMap((key) => {
    const ratios = rounds
      .map(({ mine, theirs }) => (mine[key] ?? Number.NaN) / (theirs[key] ?? Number.NaN))
      .filter((ratio) => Number.isFinite(ratio))
      .toSorted((a, b) => a - b)
    const [min] = ratios
    const max = ratios.at(-1)
    if (min === undefined || max === undefined) return []
    return [{ key, min, median: medianOf(ratios), max, verdict: verdictOf(FIGURES[key], ratios) }]
  })
}

/** Only what three rounds or more agree on, each by more than chance often does, is called better or worse. */
function verdictOf(figure: Figure | undefined, ratios: readonly number[]): Ratio['verdict'] {
  const isMore = ratios.every((ratio) => ratio > 1 + CHANCE)
  const isLess = ratios.every((ratio) => ratio < 1 - CHANCE)
  if (ratios.length < ENOUGH_ROUNDS || (!isMore && !isLess)) return 'even'
  return isMore === (figure?.better === 'more') ? 'better' : 'worse'
}

const ENOUGH_ROUNDS = 3
const CHANCE = 0.05

/** Of numbers in their order. */
function medianOf(sorted: readonly number[]): number {
  const middle = sorted.length / 2
  const [low = 0, high = low] = sorted.slice(Math.ceil(middle) - 1, Math.floor(middle) + 1)
  return (low + high) / 2
}
