// Bots of trigger.type schedule: each run becomes one delivery.
import { lastRun, nextRun, type Schedule } from '../bots/file/cron.ts'
import { memoryOf, recall } from './memory.ts'
import type { Parts } from './parts.ts'
import { submit } from './submit.ts'

export type SchedulesOptions = Pick<Parts, 'bots' | 'deliveries' | 'memory' | 'alarm' | 'clock' | 'log'>

export class Schedules {
  readonly #options: SchedulesOptions
  /** What each alarm was set for. */
  readonly #armed = new Map<string, Schedule>()

  constructor(options: SchedulesOptions) {
    this.#options = options
  }

  /** To be called when a bot may have changed. One that is not active has no runs: with `catchUp`, the last is made up for later. */
  async refresh(name: string): Promise<void> {
    const bot = this.#options.bots.get(name)
    const schedule = bot?.status === 'active' ? bot.settings.trigger.schedule : undefined
    const armed = this.#armed.get(name)
    if (!schedule) {
      this.#armed.delete(name)
      for (const alarm of [alarmOf(name), missedOf(name)]) this.#options.alarm.clear(alarm)
      return
    }
    if (!armed || armed.cron !== schedule.cron || armed.timezone !== schedule.timezone)
      this.#arm(name, schedule)
    else this.#armed.set(name, schedule)
    if (!armed || !isSame(armed, schedule)) await this.#catchUp(name, schedule)
  }

  /** The clock was set back. A run that was delivered already is recognised by its time. */
  recalculate(): void {
    for (const [name, schedule] of this.#armed) this.#arm(name, schedule)
  }

  #arm(name: string, schedule: Schedule, after = this.#options.clock.now()): void {
    this.#armed.set(name, schedule)
    const at = nextRun(schedule, after)
    if (at !== undefined) this.#options.alarm.set(alarmOf(name), at, () => this.#ring(name, at))
  }

  #ring(name: string, due: number): void {
    const schedule = this.#armed.get(name)
    if (!schedule) return
    const now = this.#options.clock.now()
    // The machine slept, or its clock was set: the runs in between were missed, as if the server had been down.
    const isMissed = now - due > LATE_MS
    const at = isMissed ? (lastRun(schedule, now) ?? due) : due
    if (!isMissed || schedule.catchUp || now - at <= LATE_MS) void this.#run(name, schedule, at)
    this.#arm(name, schedule, now)
  }

  /** Makes up for the last missed run; earlier ones are lost. A schedule that is new, or has `catchUp` only from now on, missed none. */
  async #catchUp(name: string, schedule: Schedule): Promise<void> {
    const { memory, clock } = this.#options
    const told = await recall<Told>(memory, memoryOf(name, 'schedule'))
    // It may have been changed meanwhile, and has then been refreshed again.
    if (!this.#isArmed(name, schedule)) return
    if (told && isSame({ ...schedule, catchUp: true, ...told }, schedule)) {
      const last = schedule.catchUp ? lastRun(schedule, clock.now()) : undefined
      if (last === undefined || last <= told.last) return
      this.#makeUp(name, schedule, last)
    } else if (told || schedule.catchUp) await this.#note(name, schedule, clock.now())
  }

  /** In a minute, if the schedule is the same then. */
  #makeUp(name: string, schedule: Schedule, at: number): void {
    const { alarm, clock } = this.#options
    alarm.set(missedOf(name), clock.now() + GRACE_MS, () => {
      if (this.#isArmed(name, schedule)) void this.#run(name, schedule, at)
    })
  }

  #isArmed(name: string, schedule: Schedule): boolean {
    const armed = this.#armed.get(name)
    return armed !== undefined && isSame(armed, schedule)
  }

  #note(name: string, { cron, timezone, catchUp }: Schedule, last: number): Promise<void> {
    return this.#options.memory.save(
      memoryOf(name, 'schedule'),
      JSON.stringify({ last, cron, timezone, catchUp } satisfies Told),
    )
  }

  async #run(name: string, schedule: Schedule, at: number): Promise<void> {
    const { bots, deliveries, clock, log } = this.#options
    const bot = bots.get(name)
    if (bot?.status !== 'active') return
    const { cron, timezone } = schedule
    const scheduled = new Date(at).toISOString()
    const occasion = {
      cause: 'schedule',
      event: 'schedule',
      // With the same body this is always one delivery, however often it is submitted.
      key: `schedule:${scheduled}`,
      facts: { scheduled_at: scheduled, cron, timezone },
    } as const
    try {
      const why = await submit(deliveries, bot, occasion, clock.now())
      if (why !== undefined && bots.get(name)?.status !== 'active') return
      if (why !== undefined) log.error({ bot: name, scheduled, why }, 'a scheduled run could not be recorded')
      if (!schedule.catchUp || !this.#isArmed(name, schedule)) return
      if (why === undefined) await this.#noteRun(name, schedule, at)
      else this.#makeUp(name, schedule, at)
    } catch (error) {
      log.error({ err: error, bot: name, scheduled }, 'a scheduled run failed because of a bug in hookline')
    }
  }

  async #noteRun(name: string, schedule: Schedule, at: number): Promise<void> {
    try {
      await this.#note(name, schedule, at)
    } catch (error) {
      // The next start makes up for it, and its time shows that it was delivered already.
      this.#options.log.warn(
        { err: error, bot: name },
        'a scheduled run was recorded, but could not be noted',
      )
    }
  }
}

/** The last run that need not be made up for, and its schedule. Older versions stored the run only, and only with `catchUp`. */
interface Told extends Partial<Schedule> {
  readonly last: number
}

/** A run is on time if it is no later than this. */
const LATE_MS = 60_000
/** Wait after a start, so that those who should read it are back. */
export const GRACE_MS = 60_000

function alarmOf(name: string): string {
  return `schedule:${name}`
}

function missedOf(name: string): string {
  return `${alarmOf(name)}:missed`
}

function isSame(one: Schedule, other: Schedule): boolean {
  return one.cron === other.cron && one.timezone === other.timezone && one.catchUp === other.catchUp
}
