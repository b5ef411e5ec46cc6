// One timer for everything that waits for a time: the next runs of schedules, the ends of silences, the ends of bots.

export interface Clock {
  /** In ms since 1970. */
  now(): number
  /** Runs it once, without keeping the process alive. Returns a function that cancels it. */
  later(ms: number, run: () => void): () => void
}

export const realClock: Clock = {
  now: Date.now,
  later: (ms, run) => {
    const timer = setTimeout(run, ms).unref()
    return () => clearTimeout(timer)
  },
}

export class Alarm {
  readonly #clock: Clock
  readonly #wasSetBack: () => void
  #seen: number
  readonly #set = new Map<string, { readonly at: number; readonly ring: () => void }>()
  #cancel: (() => void) | undefined

  /** `wasSetBack`: called when the clock was set back, so that alarms set by the old time may be far away. */
  constructor(clock: Clock, wasSetBack: () => void) {
    this.#clock = clock
    this.#seen = clock.now()
    this.#wasSetBack = wasSetBack
  }

  /**
   * Rings once at `at`, or as soon as it is noticed to have passed; replaces an earlier alarm of that name. One at Infinity has the
   * clock watched.
   */
  set(name: string, at: number, ring: () => void): void {
    this.#set.set(name, { at, ring })
    this.#arm()
  }

  clear(name: string): void {
    if (this.#set.delete(name)) this.#arm()
  }

  close(): void {
    this.#set.clear()
    this.#arm()
  }

  #arm(): void {
    this.#cancel?.()
    this.#cancel = undefined
    if (this.#set.size === 0) return
    let next = Infinity
    for (const { at } of this.#set.values()) next = Math.min(next, at)
    const wait = Math.min(Math.max(next - this.#clock.now(), 0), MOST_MS)
    this.#cancel = this.#clock.later(wait, () => this.#ring())
  }

  #ring(): void {
    const now = this.#clock.now()
    const isBehind = now < this.#seen - MOST_MS
    this.#seen = now
    if (isBehind) this.#wasSetBack()
    const due = [...this.#set].filter(([, { at }]) => at <= now).toSorted(([, a], [, b]) => a.at - b.at)
    for (const [name] of due) this.#set.delete(name)
    for (const [, { ring }] of due) ring()
    this.#arm()
  }
}

/** Timers do not notice that the machine slept or its clock was set, so the clock is checked once a minute. */
const MOST_MS = 60_000
