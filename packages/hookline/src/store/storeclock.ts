// Keeps the time that the server has seen pass on disk, and tells the log when the machine's clock disagrees.
import type { Log } from '../log/log.ts'
import type { JobQueue } from './queue.ts'
import { CLOCK } from './records.ts'
import { DAY_MS, type Latest, TrustedClock, type TrustedTime } from './trustedclock.ts'

export interface ClockOptions {
  readonly log: Log
  /** The machine's clock. */
  readonly machine?: () => number
  /** Monotonic, in ms. */
  readonly elapsed?: () => number
}

/** From the newest time on disk on. */
export async function openClock(
  queue: JobQueue,
  { log, machine = Date.now, elapsed = () => Math.floor(performance.now()) }: ClockOptions,
): Promise<StoreClock> {
  const [[saved], latest] = await Promise.all([queue.read('records', CLOCK), queue.read('latest', undefined)])
  const known = knownFrom(saved?.json, latest)
  const clock = new TrustedClock(machine, elapsed, known)
  const wasAhead = known?.leap !== undefined && clock.offBy === undefined
  return new StoreClock(clock, { queue, log, wasAhead })
}

/** The record is up to an hour old. Without one the database is new, or of an earlier version. */
function knownFrom(json: string | undefined, { message, delivery }: Latest): TrustedTime | undefined {
  if (json === undefined) {
    const time = Math.max(message ?? 0, delivery ?? 0)
    return time === 0 ? undefined : { time, leap: undefined, jumps: [] }
  }
  return { leap: undefined, ...(JSON.parse(json) as Omit<TrustedTime, 'leap'> & Partial<TrustedTime>) }
}

export class StoreClock {
  /** An earlier run ended while the clock was ahead, and it is right now. */
  readonly wasAhead: boolean
  readonly #clock: TrustedClock
  readonly #queue: JobQueue
  readonly #log: Log
  #saved: TrustedTime | undefined
  #told: 'ahead' | 'behind' | undefined

  constructor(
    clock: TrustedClock,
    { queue, log, wasAhead }: { queue: JobQueue; log: Log; wasAhead: boolean },
  ) {
    this.wasAhead = wasAhead
    this.#clock = clock
    this.#queue = queue
    this.#log = log
    this.#tell()
  }

  /** The machine's clock, unless that is more than a day behind the trusted time, and so wrong. */
  now(): number {
    return this.#clock.now()
  }

  /** The time that the server has seen pass: what is deleted for its age goes by it. */
  get trusted(): number {
    return this.#clock.look().time
  }

  /** How far the clock is ahead of it (below 0: behind), if that is more than a day. */
  get offBy(): number | undefined {
    return this.#clock.offBy
  }

  look(): TrustedTime {
    const time = this.#clock.look()
    this.#tell()
    return time
  }

  /** An operator says that the clock is right. On disk when it resolves. */
  async trust(): Promise<void> {
    this.#clock.trust()
    this.#tell()
    await this.#save()
  }

  /** Once an hour, and each minute while a leap is watched: the clock makes up for what is not on disk. */
  async saveIfDue(): Promise<void> {
    const time = this.#clock.look()
    if (this.#saved === undefined || isDue(time, this.#saved)) await this.#save()
  }

  /** Queued. */
  saveAtEnd(): void {
    // A disk that refuses it is in the log already, and the clock makes up for it.
    this.#save().catch(() => {})
  }

  async #save(): Promise<void> {
    const time = this.#clock.look()
    await this.#queue.write('records.save', [{ kind: CLOCK, key: 'trusted', json: JSON.stringify(time) }])
    this.#saved = time
  }

  #tell(): void {
    const { offBy } = this.#clock
    const now = offBy === undefined ? undefined : offBy > 0 ? 'ahead' : 'behind'
    if (now === this.#told) return
    this.#told = now
    const facts = { trusted: new Date(this.trusted).toISOString() }
    if (offBy === undefined)
      this.#log.info(facts, 'the clock agrees with the time that the server has seen pass')
    else this.#log.warn(facts, clockText(offBy))
  }
}

/** For people; see `offBy`. */
export function clockText(offBy: number): string {
  const span = `${Math.round(Math.abs(offBy) / DAY_MS)} days`
  return offBy > 0
    ? `the clock is ${span} ahead of the time that the server has seen pass: until it has been for an hour, nothing is deleted for its age. If the clock is right, run hookline server trust-clock`
    : `the clock is ${span} behind the time that the server has seen pass, which counts in its place. If the clock is right, run hookline server trust-clock`
}

function isDue(time: TrustedTime, saved: TrustedTime): boolean {
  return (
    time.time - saved.time >= HOUR_MS ||
    time.jumps !== saved.jumps ||
    (time.leap === undefined) !== (saved.leap === undefined) ||
    (time.leap?.heldMs ?? 0) - (saved.leap?.heldMs ?? 0) >= MINUTE_MS
  )
}

const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000
