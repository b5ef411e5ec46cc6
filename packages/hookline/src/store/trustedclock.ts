// The time that this server has seen pass. Whatever is deleted for its age goes by it: the machine's clock may leap.

export interface TrustedTime {
  /** In ms since 1970, like the clock's. */
  readonly time: number
  /** The clock is ahead by more than a day, and was not believed yet. */
  readonly leap: Leap | undefined
  /** Oldest first. */
  readonly jumps: readonly Jump[]
}

interface Leap {
  readonly by: number
  /** How long it has been so while a server ran. */
  readonly heldMs: number
  /** The clock was set. Else the server may have been off for as long. */
  readonly isSet: boolean
}

/** A leap of a clock that was set, once it was believed: nothing grew older by it. */
export interface Jump {
  /** Trusted time after it. */
  readonly at: number
  readonly by: number
}

/**
 * Elapsed time since the newest time on disk. The clock is followed as long as it is at most a day ahead of that. A leap by more is believed
 * after an hour, or when an operator says so; a clock that is behind never is, unless an operator says so. `elapsed` is monotonic.
 */
export class TrustedClock {
  readonly #machine: () => number
  readonly #elapsed: () => number
  #time: number
  #lookedAt: number
  #leap: Leap | undefined
  #jumps: readonly Jump[]
  /** In this run it was at most a day off at least once. */
  #hasAgreed = false

  /** `known` undefined: nothing is on disk yet. */
  constructor(machine: () => number, elapsed: () => number, known?: TrustedTime) {
    this.#machine = machine
    this.#elapsed = elapsed
    this.#time = known?.time ?? machine()
    this.#lookedAt = elapsed()
    this.#leap = known?.leap
    this.#jumps = known?.jumps ?? []
    this.#look(machine())
  }

  /** For all but deleting: the clock's, unless that is more than a day behind, and so wrong. */
  now(): number {
    const clock = this.#machine()
    // As it was at the last look, which was seconds ago.
    if (clock >= this.#time - DAY_MS) return clock
    this.#look(clock)
    return clock < this.#time - DAY_MS ? this.#time : clock
  }

  /** To be called every few seconds: how long a leap has lasted is counted from look to look. */
  look(): TrustedTime {
    this.#look(this.#machine())
    return { time: this.#time, leap: this.#leap, jumps: this.#jumps }
  }

  /** How far the clock is ahead (below 0: behind), if that is more than a day. */
  get offBy(): number | undefined {
    const clock = this.#machine()
    this.#look(clock)
    const ahead = clock - this.#time
    return Math.abs(ahead) > DAY_MS ? ahead : undefined
  }

  /** An operator says that the clock is right. */
  trust(): void {
    const clock = this.#machine()
    this.#look(clock)
    if (clock > this.#time) this.#believe(clock, this.#leap?.isSet ?? true)
    this.#jumps = this.#jumps.filter(({ at }) => at <= clock)
    this.#time = clock
  }

  #look(clock: number): void {
    const at = this.#elapsed()
    const passed = at - this.#lookedAt
    this.#lookedAt = at
    this.#time += passed
    const ahead = clock - this.#time
    if (ahead <= DAY_MS) {
      this.#time = Math.max(this.#time, clock)
      this.#hasAgreed ||= ahead >= -DAY_MS
      this.#leap = undefined
      return
    }
    const isSame = this.#leap !== undefined && Math.abs(ahead - this.#leap.by) <= DAY_MS
    this.#leap =
      this.#leap !== undefined && isSame
        ? { ...this.#leap, heldMs: this.#leap.heldMs + passed }
        : { by: ahead, heldMs: 0, isSet: this.#hasAgreed || ahead > LONGEST_OFF_MS }
    if (this.#leap.heldMs >= BELIEVED_AFTER_MS) this.#believe(clock, this.#leap.isSet)
  }

  #believe(clock: number, isSet: boolean): void {
    if (isSet) this.#jumps = [...this.#jumps, { at: clock, by: clock - this.#time }].slice(-MOST_JUMPS)
    this.#time = clock
    this.#hasAgreed = true
    this.#leap = undefined
  }
}

export type Passed = Pick<TrustedTime, 'time' | 'jumps'>

/** What has this time, or an earlier one, is at least that old. */
export function ageLimit({ time, jumps }: Passed, ageMs: number): number {
  let limit = time - ageMs
  for (const { at, by } of jumps.toReversed()) {
    if (limit >= at) break
    limit -= by
  }
  return limit
}

export const DAY_MS = 24 * 60 * 60 * 1_000
/** How long a clock must stay ahead, while a server runs. */
export const BELIEVED_AFTER_MS = 60 * 60 * 1_000
/** No server is off for longer: the clock was wrong before. */
const LONGEST_OFF_MS = 366 * DAY_MS
const MOST_JUMPS = 64

/** The newest times on disk, of a message and of a delivery; null where there is none. */
export interface Latest {
  readonly message: number | null
  readonly delivery: number | null
}
