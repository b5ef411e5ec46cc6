// Time as this process sees it pass: not while it is stopped (SIGSTOP, Ctrl-Z), when what others send in time lies unread.
import { setTimeout as wait } from 'node:timers/promises'

/** A limit that ends later than this is granted again: if the machine was only busy, that does no harm. */
const LATE_MS = 1_000
/** A tick that is later than this was stopped; a busy machine makes none so late. */
const STOPPED_MS = 5_000

/** Resolves after `ms`; if the process was stopped meanwhile, after as long again, so that what came is read first. */
export async function pass(ms: number, signal: AbortSignal, now = () => performance.now()): Promise<void> {
  let began: number
  do {
    began = now()
    await wait(ms, undefined, { signal })
  } while (now() - began > ms + LATE_MS)
}

/** Counts ms, in whole numbers, which V8 stores in less memory, and never backwards. `tick` is called every `everyMs`. */
export class RunningTime {
  readonly #everyMs: number
  readonly #now: () => number
  #last: number
  #missed = 0
  /** Until a tick is missed, what was counted since the last one seemed to be right. */
  #latest = 0

  constructor(everyMs: number, now = () => performance.now()) {
    this.#everyMs = everyMs
    this.#now = now
    this.#last = now()
  }

  tick(): void {
    this.#missed += this.#missing()
    this.#last = this.#now()
  }

  get elapsed(): number {
    return (this.#latest = Math.max(this.#latest, Math.floor(this.#now() - this.#missed - this.#missing())))
  }

  /** Of the time since the last tick, what is more than it can have run. */
  #missing(): number {
    const since = this.#now() - this.#last
    return since > this.#everyMs + STOPPED_MS ? since - this.#everyMs : 0
  }
}
