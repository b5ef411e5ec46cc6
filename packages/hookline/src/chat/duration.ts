// Times as operators write them: `90s`, `1d12h`, `2w`.

/** In ms; undefined if the text is no such time, zero or longer than ten years. */
export function parseDuration(text: string): number | undefined {
  if (!/^(\d{1,9}[wdhms])+$/i.test(text)) return undefined
  let ms = 0
  for (const [, digits = '', unit = ''] of text.toLowerCase().matchAll(/(\d+)([wdhms])/g)) {
    ms += Number(digits) * (UNITS[unit] ?? 0)
  }
  return ms > 0 && ms <= LONGEST_MS ? ms : undefined
}

/** The two largest units that it has: `1d12h`. */
export function formatDuration(ms: number): string {
  let rest = Math.max(0, ms)
  const parts = Object.entries(UNITS).flatMap(([unit, size]) => {
    const count = Math.floor(rest / size)
    rest -= count * size
    return count > 0 ? [`${count}${unit}`] : []
  })
  return parts.slice(0, 2).join('') || '0s'
}

const UNITS: Readonly<Record<string, number>> = {
  w: 7 * 86_400_000,
  d: 86_400_000,
  h: 3_600_000,
  m: 60_000,
  s: 1_000,
}
const LONGEST_MS = 10 * 366 * 86_400_000
