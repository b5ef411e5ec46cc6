// What many measurements come to.

/** The nearest that so many percent do not exceed; 0 of none. */
export function percentile(numbers: readonly number[], percent: number): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil((sorted.length * percent) / 100) - 1)] ?? 0
}

export function median(numbers: readonly number[]): number {
  return percentile(numbers, 50)
}

/** By least squares: how much y grows with each x. */
export function slopeOf(points: readonly (readonly [x: number, y: number])[]): number {
  const mean = (of: 0 | 1) => points.reduce((sum, point) => sum + point[of], 0) / points.length
  const [x, y] = [mean(0), mean(1)]
  const across = points.reduce((sum, point) => sum + (point[0] - x) * (point[1] - y), 0)
  return across / points.reduce((sum, point) => sum + (point[0] - x) ** 2, 0)
}
