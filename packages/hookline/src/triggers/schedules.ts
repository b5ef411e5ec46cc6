// Bots of trigger.type schedule: each run becomes a delivery, told once.
import type { BotState } from '../bots/composer.ts'
import { lastRun, nextRun, type Schedule } from '../bots/cron.ts'
import type { Logger } from '../bots/logger.ts'
import type { Bot } from '../bots/roster.ts'
import type { Deliveries } from '../webhooks/deliveries.ts'
import type { Alarm, Clock } from './alarm.ts'
import { submit } from './submit.ts'

export interface SchedulesOptions {
  readonly bots: { get(name: string): Bot | undefined }
  readonly deliveries: Pick<Deliveries, 'accept'>
  readonly memory: BotState
  readonly alarm: Alarm
  readonly clock: Clock
  readonly log: Logger
}

export class Schedules {
  readonly #options: SchedulesOptions
  /** What each alarm was set for. */
  readonly #armed = new Map<string, Schedule>()

  constructor(options: SchedulesOptions) {
    this.#options = options
  }

  /** To be called when a bot may have changed. One that is not active has no runs, and none is made up for later. */
  async refresh(name: string): Promise<void> {
    const bot = this.#options.bots.get(name)
    const schedule = bot?.status === 'active' ? bot.settings?.trigger.schedule : undefined
    const armed = this.#armed.get(name)
    if (!schedule) {
      this.#armed.delete(name)
      this.#options.alarm.clear(alarmOf(name))
    } else if (!armed || armed.cron !== schedule.cron || armed.timezone !== schedule.timezone) {
      this.#arm(name, schedule, this.#options.clock.now())
      if (schedule.catchUp && !armed) await this.#catchUp(name, schedule)
    } else this.#armed.set(name, schedule)
  }

  /** The clock was set back. A run that was told already is known by its time. */
  setAnew(): void {
    for (const [name, schedule] of this.#armed) this.#arm(name, schedule, this.#options.clock.now())
  }

  #arm(name: string, schedule: Schedule, after: number): void {
    this.#armed.set(name, schedule)
    const at = nextRun(schedule, after)
    if (at !== undefined) this.#options.alarm.set(alarmOf(name), at, () => this.#ring(name, at))
  }

  #ring(name: string, due: number): void {
    const schedule = this.#armed.get(name)
    if (!schedule) return
    const now = this.#options.clock.now()
    // The machine slept, or its clock was set: what it slept through was missed, as if we had not run.
    const isMissed = now - due > lateMs
    const at = isMissed ? (lastRun(schedule, now) ?? due) : due
    if (!isMissed || schedule.catchUp || now - at <= lateMs) void this.#run(name, schedule, at)
    // Also after a clock that was set back, no run comes twice.
    this.#arm(name, schedule, Math.max(now, at))
  }

  /** The last run that we missed, if any: others before it are gone. A bot that is new has missed none. */
  async #catchUp(name: string, schedule: Schedule): Promise<void> {
    const { memory, clock, alarm } = this.#options
    const told = await memory.load(memoryOf(name))
    const last = lastRun(schedule, clock.now())
    if (told === undefined) await memory.save(memoryOf(name), JSON.stringify({ last: clock.now() }))
    else if (last !== undefined && last > lastIn(told)) {
      const soon = clock.now() + graceMs
      alarm.set(`${alarmOf(name)}:missed`, soon, () => {
        if (this.#armed.get(name)) void this.#run(name, schedule, last)
      })
    }
  }

  async #run(name: string, schedule: Schedule, at: number): Promise<void> {
    const { bots, deliveries, memory, clock, log } = this.#options
    const bot = bots.get(name)
    if (bot?.status !== 'active') return
    const { cron, timezone } = schedule
    const scheduled = new Date(at).toISOString()
    const occasion = {
      cause: 'schedule',
      event: 'schedule',
      // With the same body this is one delivery for ever, whoever asks for it again.
      key: `schedule:${scheduled}`,
      facts: { scheduled_at: scheduled, cron, timezone },
    } as const
    try {
      const isRecorded = await submit(deliveries, bot, occasion, clock.now())
      if (!isRecorded) log.error({ bot: name, scheduled }, 'a scheduled run could not be recorded')
      else if (schedule.catchUp) await memory.save(memoryOf(name), JSON.stringify({ last: at }))
    } catch (error) {
      log.error({ err: error, bot: name, scheduled }, 'a scheduled run failed through a fault of ours')
    }
  }
}

/** A run is on time within this. */
const lateMs = 60_000
/** After a start, so that those who should read it are back. */
export const graceMs = 60_000

function alarmOf(name: string): string {
  return `schedule:${name}`
}

/** Bots' names have no colon: it cannot meet what a handler keeps. */
function memoryOf(name: string): string {
  return `${name}:schedule`
}

function lastIn(json: string): number {
  const { last } = JSON.parse(json) as { last: number }
  return last
}
