// Times and rates as people write them: `90s`, `10m`, `24h`, `7d`; `60/1m`.
import { z } from 'zod'
import type { Rate } from '../chat/bucket.ts'

/** A field of a YAML file that holds a time of `least` to `most` ms. */
export function duration(least: number, most: number) {
  return z.string().transform((text, context) => {
    const ms = parseDuration(text)
    if (ms !== undefined && ms >= least && ms <= most) return ms
    const range = `from ${formatDuration(least)} to ${formatDuration(most)}`
    context.addIssue({ code: 'custom', message: `must be a time such as 90s, 10m or 24h, ${range}` })
    return z.NEVER
  })
}

/** A field of a YAML file that holds a rate. */
export const rate = z.string().transform((text, context): Rate => {
  const [count = '', every = ''] = text.split('/')
  const everyMs = parseDuration(/^\d/.test(every) ? every : `1${every}`)
  if (/^[1-9]\d{0,5}$/.test(count) && everyMs !== undefined) return { count: Number(count), everyMs }
  context.addIssue({ code: 'custom', message: 'must be a number, / and a time, such as 60/1m or 5/10s' })
  return z.NEVER
})

/** In ms, up to 366 days; undefined when it cannot be read. */
function parseDuration(text: string): number | undefined {
  const [, digits = '', unit = ''] = /^([1-9]\d{0,8})([smhd])$/.exec(text) ?? []
  const ms = Number(digits) * (UNITS[unit] ?? Number.NaN)
  return ms <= LONGEST ? ms : undefined
}

/** In the largest unit that needs no fraction: `90s`, `10m`. */
export function formatDuration(ms: number): string {
  const [unit = 's', size = 1_000] = Object.entries(UNITS).findLast(([, size]) => ms % size === 0) ?? []
  return `${Math.round(ms / size)}${unit}`
}

/** `60/1m` */
export function formatRate({ count, everyMs }: Rate): string {
  return `${count}/${formatDuration(everyMs)}`
}

const UNITS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }
const LONGEST = 366 * 86_400_000
