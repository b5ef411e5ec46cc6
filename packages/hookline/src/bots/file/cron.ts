// When a schedule runs: cron expressions in a time zone. The engine is loaded by the first bot that has one.
import { createRequire } from 'node:module'
import type { Cron } from 'croner'

export interface Schedule {
  /** Minute, hour, day of month, month, weekday; or a name such as `@daily`. */
  readonly cron: string
  /** Of the IANA list: `Europe/Berlin`. */
  readonly timezone: string
  /** Make up for the last run that was missed while the server was down. */
  readonly catchUp: boolean
}

/** What is wrong with an expression, as the end of a sentence; undefined when it runs at some time. */
export function cronFlaw(cron: string): string | undefined {
  const example = 'such as "0 9 * * 1-5": minute, hour, day of month, month, weekday'
  if (!cron.startsWith('@')) {
    const fields = cron.trim().split(/\s+/)
    if (fields.length !== FIELDS.length) return `must have five fields, ${example}`
    const wrong = fields.findIndex((field, index) => {
      const alone = FIELDS.map(() => '*').with(index, field)
      return !parse(alone.join(' '))
    })
    if (wrong !== -1) return `has an invalid ${FIELDS[wrong]}: write five fields, ${example}`
  }
  const parsed = parse(cron)
  if (!parsed) return `must be five fields, ${example}`
  return parsed.nextRun() ? undefined : 'names a day that never comes: change the day or the month'
}

export function isTimezone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

/** Of this machine, for a schedule that names none. */
export function localTimezone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone
}

/** The first run after `time`, in ms; undefined when there is none. */
export function nextRun(schedule: Schedule, time: number): number | undefined {
  return engineOf(schedule).nextRun(new Date(time))?.getTime()
}

/** The last run at or before `time`, in ms. */
export function lastRun(schedule: Schedule, time: number): number | undefined {
  // The engine looks strictly before the second that it is given.
  const [found] = engineOf(schedule).previousRuns(1, new Date(Math.floor(time / 1_000) * 1_000 + 1_000))
  return found?.getTime()
}

const FIELDS = ['minute', 'hour', 'day of month', 'month', 'weekday']
const require = createRequire(import.meta.url)
const engines = new WeakMap<Schedule, Cron>()

function engineOf(schedule: Schedule): Cron {
  const engine = engines.get(schedule) ?? parse(schedule.cron, schedule.timezone)
  if (!engine) throw new Error(`${schedule.cron} was not checked`)
  engines.set(schedule, engine)
  return engine
}

function parse(cron: string, timezone = 'UTC'): Cron | undefined {
  const engine = require('croner') as typeof import('croner')
  try {
    // Seconds are not offered: nobody wants to read a bot every second. Paused, it only calculates and sets no timer. A list or
    // a range of hours counts as fixed times, as one hour does: none is skipped or doubled when the clock changes.
    return new engine.Cron(cron, { mode: '5-part', timezone, paused: true, fixedTimeRule: 'no-wildcard' })
  } catch {
    return undefined
  }
}
