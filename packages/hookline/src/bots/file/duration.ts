// Times and rates in YAML files: `90s`, `1h30m`; `60/1m`.
import { z } from 'zod'
import type { Rate } from '../../chat/bucket.ts'
import { formatDuration, parseDuration } from '../../chat/duration.ts'

/** A field of a YAML file that holds a time of `least` to `most` ms. */
export function duration(least: number, most: number) {
  const rule = `must be a time such as 90s, 10m or 24h, from ${formatDuration(least)} to ${formatDuration(most)}`
  return z.string(rule).transform((text, context) => {
    const ms = parseDuration(text)
    if (ms !== undefined && ms >= least && ms <= most) return ms
    context.addIssue(rule)
    return z.NEVER
  })
}

const RATE_RULE = 'must be a number, / and a time, such as 60/1m or 5/10s'

/** A field of a YAML file that holds a rate. */
export const rate = z.string(RATE_RULE).transform((text, context): Rate => {
  const [, count = '', every = ''] = /^([^/]*)\/(.*)$/.exec(text) ?? []
  const everyMs = parseDuration(/^\d/.test(every) ? every : `1${every}`)
  if (/^[1-9]\d{0,5}$/.test(count) && everyMs !== undefined) return { count: Number(count), everyMs }
  context.addIssue(RATE_RULE)
  return z.NEVER
})

/** `60/1m` */
export function formatRate({ count, everyMs }: Rate): string {
  return `${count}/${formatDuration(everyMs)}`
}
