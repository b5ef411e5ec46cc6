// What many measurements come to.

/** The nearest that so many percent do not exceed; 0 of none. */
export function percentile(numbers: readonly number[], percent: number): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil((sorted.length * percent) / 100) - 1)] ?? 0
}

export function median(numbers: readonly number[]): number {
  return percentile(numbers, 50)
}
