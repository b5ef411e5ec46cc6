// Times as text, all of them in UTC: as IRCv3 writes them, and as people read them. https://ircv3.net/specs/extensions/server-time

let lastTime = 0
let lastText = new Date(0).toISOString()

/** `2026-04-03T09:15:00.000Z`. The last result is cached: many lines fall in one millisecond. */
export function formatTime(at: number): string {
  if (at !== lastTime) {
    lastTime = at
    lastText = new Date(at).toISOString()
  }
  return lastText
}

/** In ms; finer fractions are truncated. Undefined for anything else. */
export function parseTime(text: string): number | undefined {
  const parts = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?Z$/.exec(text)
  if (parts === null) return undefined
  const [, second = '', fraction = ''] = parts
  const at = Date.parse(`${second}.${fraction.padEnd(3, '0').slice(0, 3)}Z`)
  // Date reads February 30 as March 2.
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(second) ? at : undefined
}

/** `2026-04-03 09:15 UTC` */
export function formatMinute(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`
}

/** ` until 2026-04-03 09:15 UTC`; empty for what has no end. */
export function formatUntil(at: number | null): string {
  return at === null ? '' : ` until ${formatMinute(at)}`
}

/** `2026-04-03` */
export function formatDay(at: number): string {
  return new Date(at).toISOString().slice(0, 10)
}

/** As numerics give it: seconds since 1970. */
export function unixSeconds(at: number): string {
  return String(Math.floor(at / 1_000))
}
