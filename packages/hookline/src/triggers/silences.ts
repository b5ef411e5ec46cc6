// `trigger.expect`: a bot says when nothing has come for too long, once per silence, even across restarts.
import { causeOf } from '../bots/causes.ts'
import type { Bot } from '../bots/roster.ts'
import type { Expectation } from '../bots/file/triggerschema.ts'
import { triggerTypeOf, type TriggerType } from '../bots/file/triggertypes.ts'
import { formatMinute } from '../irc/time.ts'
import { BEFORE } from '../store/botstate.ts'
import type { DeliveryRecord } from '../store/deliveryrows.ts'
import { memoryOf, recall } from './memory.ts'
import type { Parts } from './parts.ts'
import { GRACE_MS, type SchedulesOptions } from './schedules.ts'
import { submit } from './submit.ts'

export type SilencesOptions = SchedulesOptions & Pick<Parts, 'store'>

export class Silences {
  readonly #options: SilencesOptions
  readonly #watched = new Map<string, Watched>()

  constructor(options: SilencesOptions) {
    this.#options = options
  }

  /**
   * To be called when a bot may have changed. `isRestart`: the server is starting, and the silence continues from what was
   * saved; a bot that is started by hand begins anew.
   */
  async refresh(name: string, isRestart: boolean): Promise<void> {
    const { alarm, clock } = this.#options
    if (!this.#expectOf(name)) {
      this.#watched.delete(name)
      alarm.clear(alarmOf(name))
      return
    }
    const known = this.#watched.get(name)
    const now = clock.now()
    const from = isRestart ? now + GRACE_MS : now
    const watched = known ?? { since: now, last: null, isTold: false, from, saved: '' }
    this.#watched.set(name, watched)
    try {
      if (!known) await this.#recall(name, watched, isRestart)
    } finally {
      // The caller reports a failing disk; the silence is watched all the same.
      if (this.#watched.get(name) === watched) this.#arm(name, watched)
    }
  }

  #expectOf(name: string): Expectation | undefined {
    const bot = this.#options.bots.get(name)
    return bot?.status === 'active' ? bot.settings.trigger.expect : undefined
  }

  /** The clock was set back. */
  recalculate(): void {
    for (const [name, watched] of this.#watched) {
      this.#correct(watched)
      this.#arm(name, watched)
    }
  }

  /** Times that are in the future, because the clock was ahead, become the present time. */
  #correct(watched: Watched): void {
    const now = this.#options.clock.now()
    watched.since = Math.min(watched.since, now)
    if (watched.last !== null) watched.last = Math.min(watched.last, now)
    watched.from = Math.min(watched.from, now + GRACE_MS)
  }

  /** Called for every delivery that is taken in: mostly one lookup. */
  arrived(name: string, headers: Readonly<Record<string, string>>): void {
    const watched = this.#watched.get(name)
    if (!watched || causeOf(headers) === 'expect') return
    watched.last = this.#options.clock.now()
    if (!watched.isTold) return
    watched.isTold = false
    this.#arm(name, watched)
  }

  /** Looks again at the end of the silence, and every hour until then, to save its state; not if the bot expects nothing any more. */
  #arm(name: string, watched: Watched): void {
    const { alarm, clock } = this.#options
    const expect = this.#expectOf(name)
    if (!expect) return
    const now = clock.now()
    const end = this.#endOf(name, watched, expect)
    alarm.set(alarmOf(name), Math.max(Math.min(end, now + HOUR_MS), watched.from), () => this.#ring(name))
  }

  /** When the silence becomes too long; never if it was told already, or if the bot takes no more webhooks by then. */
  #endOf(name: string, watched: Watched, { everyMs }: Expectation): number {
    const { expiresAt = Infinity } = this.#options.bots.get(name)?.settings?.trigger ?? {}
    const end = beganAt(watched) + everyMs
    return watched.isTold || end >= expiresAt ? Infinity : end
  }

  #ring(name: string): void {
    const { bots, clock, log } = this.#options
    const bot = bots.get(name)
    const expect = this.#expectOf(name)
    const watched = this.#watched.get(name)
    if (!bot || !expect || !watched) return
    const silent = clock.now() - beganAt(watched)
    const isOver = clock.now() >= this.#endOf(name, watched, expect)
    if (isOver) watched.isTold = true
    const work = isOver ? this.#tell(bot, expect, watched, silent) : this.#save(name, watched)
    work.catch((error: unknown) => log.error({ err: error, bot: name }, 'a silence could not be recorded'))
    this.#arm(name, watched)
  }

  async #tell(bot: Bot, expect: Expectation, watched: Watched, silent: number): Promise<void> {
    const { deliveries, clock } = this.#options
    const last = watched.last === null ? null : new Date(watched.last).toISOString()
    const silentFor = silent < expect.everyMs * 1.1 ? expect.every : roughly(silent)
    const text = textOf(triggerTypeOf(bot.settings), spaced(silentFor), watched.last)
    const why = await submit(
      deliveries,
      bot,
      {
        cause: 'expect',
        event: 'expect.missed',
        key: null,
        facts: { text, expected_every: expect.every, last_at: last, silent_for: silentFor },
      },
      clock.now(),
    )
    if (why === undefined) return await this.#save(bot.name, watched)
    // The disk is full, or too much waits: try again later.
    watched.isTold = false
    watched.from = clock.now() + RETRY_MS
    this.#arm(bot.name, watched)
  }

  /** From the records, and from what was saved besides: records are pruned. */
  async #recall(name: string, watched: Watched, isRestart: boolean): Promise<void> {
    const noted = await recall<Noted>(this.#options.memory, memoryOf(name, 'expect'))
    const { last, told } = await this.#recorded(name)
    // One may have come while this was read.
    watched.last = Math.max(watched.last ?? 0, noted?.last ?? 0, last) || null
    if (isRestart) {
      watched.since = noted?.since ?? watched.since
      watched.isTold = (noted?.isTold === true && noted.last === watched.last) || told > beganAt(watched)
    }
    this.#correct(watched)
    await this.#save(name, watched)
  }

  /** When the last delivery arrived, and the last silence was told; 0 if there is no record of one. */
  async #recorded(name: string): Promise<{ last: number; told: number }> {
    const { store, memory } = this.#options
    const before = await recall<{ at: number }>(memory, name + BEFORE)
    const all = await store.deliveries.list({ bot: name, limit: 10 })
    const rows = all.filter(({ receivedAt }) => receivedAt > (before?.at ?? -Infinity))
    const areSilences = await Promise.all(rows.map((row) => this.#isSilence(row)))
    const last = rows.findLast((_, index) => !areSilences[index])
    const told = rows.findLast((_, index) => areSilences[index])
    return { last: last?.receivedAt ?? 0, told: told?.receivedAt ?? 0 }
  }

  /** A sender may name its event as it likes, but cannot make our headers. */
  async #isSilence({ id, event }: DeliveryRecord): Promise<boolean> {
    if (event !== 'expect.missed') return false
    const whole = await this.#options.store.deliveries.get(id)
    return whole !== undefined && causeOf(whole.headers) === 'expect'
  }

  async #save(name: string, watched: Watched): Promise<void> {
    const { since, last, isTold } = watched
    const json = JSON.stringify({ since, last, isTold } satisfies Noted)
    // A bot that was deleted meanwhile leaves nothing to another of its name.
    if (json === watched.saved || this.#watched.get(name) !== watched) return
    await this.#options.memory.save(memoryOf(name, 'expect'), json)
    watched.saved = json
  }
}

interface Noted {
  /** When it was first expected, in ms. */
  since: number
  /** When the last one arrived. */
  last: number | null
  /** The channel has heard of this silence. */
  isTold: boolean
}

interface Watched extends Noted {
  /** Nothing is told before: those who should read it, or the disk, need some time. */
  from: number
  /** What is on disk. */
  saved: string
}

const HOUR_MS = 3_600_000
const RETRY_MS = 60_000

function beganAt({ since, last }: Noted): number {
  return Math.max(since, last ?? 0)
}

/** `no webhook for 24 h (last one 2026-04-03 09:15 UTC)` */
function textOf(type: TriggerType, silentFor: string, last: number | null): string {
  const what = type === 'webhook' ? 'no webhook' : 'nothing to react to'
  const when = last === null ? 'none yet' : `last one ${formatMinute(last)}`
  return `${what} for ${silentFor} (${when})`
}

/** `1h30m` → `1 h 30 min` */
function spaced(time: string): string {
  return time.toLowerCase().replaceAll(/[a-z]/g, ' $& ').trimEnd().replaceAll(' m', ' min')
}

/** In the largest unit of which there are two at least: `3d`, `30h`. */
function roughly(ms: number): string {
  const [size, unit] = UNITS.find(([size]) => ms >= 2 * size) ?? ([1_000, 's'] as const)
  return `${Math.floor(ms / size)}${unit}`
}

const UNITS = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'm'],
] as const

function alarmOf(name: string): string {
  return `expect:${name}`
}
