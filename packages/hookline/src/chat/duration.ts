// Times as people write them: `90s`, `10m`, `1d12h`, `2w`.

/** In ms; undefined if the text is no such time, zero or longer than ten years. */
export function parseDuration(text: string): number | undefined {
  if (!/^(\d{1,9}[wdhms])+$/i.test(text)) return undefined
  let ms = 0
  for (const [, digits = '', unit = ''] of text.toLowerCase().matchAll(/(\d{1,9})([wdhms])/g)) {
    ms += Number(digits) * (UNITS[unit] ?? 0)
  }
  return ms > 0 && ms <= LONGEST_MS ? ms : undefined
}

/** Whole seconds, in days and less: `14d`, `1d12h`. */
export function formatDuration(ms: number): string {
  let rest = Math.max(0, ms)
  let text = ''
  for (const [unit, size] of Object.entries(UNITS)) {
    if (unit === 'w') continue
    const count = Math.floor(rest / size)
    rest -= count * size
    if (count > 0) text += `${count}${unit}`
  }
  return text || '0s'
}

const UNITS: Readonly<Record<string, number>> = {
  w: 7 * 86_400_000,
  d: 86_400_000,
  h: 3_600_000,
  m: 60_000,
  s: 1_000,
}
const LONGEST_MS = 10 * 366 * 86_400_000
