// Notices a disk that does not answer, and lets those who wait for it go.
import type { Log } from '../log/log.ts'
import { StoreFailure } from './failure.ts'

/** A batch that has been under way for longer has met a disk that hangs: full, slow or broken ones answer sooner. */
const STUCK_MS = 5_000
/**
 * Its time is counted in steps of this: one in which the whole process was stopped, or the machine asleep, counts as one step only,
 * however long it took.
 */
const STEP_MS = 500

export class Watchdog {
  readonly #log: Log
  readonly #onStuck: () => void
  readonly #waiting = new Set<(failure: StoreFailure) => void>()
  readonly #stepping: NodeJS.Timeout
  #isBusy = false
  #steps = 0
  #isStuck = false

  /** `onStuck` is called once each time, before those who wait are let go. */
  constructor(log: Log, onStuck: () => void) {
    this.#log = log
    this.#onStuck = onStuck
    this.#stepping = setInterval(() => this.#step(), STEP_MS).unref()
  }

  /** For how long the disk has not answered, in ms; 0 while it does. */
  get stuckMs(): number {
    return this.#isStuck ? this.#steps * STEP_MS : 0
  }

  get failure(): StoreFailure | undefined {
    return this.#isStuck ? new StoreFailure('stuck', this.describe()) : undefined
  }

  describe(): string {
    return `the disk has not answered for ${Math.floor(this.stuckMs / 1_000)} s`
  }

  /** A batch is given to the thread. */
  begin(): void {
    this.#isBusy = true
    this.#steps = 0
  }

  /** It has come back. */
  end(): void {
    this.#isBusy = false
    if (!this.#isStuck) return
    const seconds = Math.floor(this.stuckMs / 1_000)
    this.#isStuck = false
    this.#log.info({ seconds }, 'the disk answers again')
  }

  /** Settles as `work` does, but rejects as soon as the disk hangs: the work goes on, and may yet succeed. */
  orStuck<T>(work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#waiting.add(reject)
      work.then(
        (value) => {
          this.#waiting.delete(reject)
          resolve(value)
        },
        (error: unknown) => {
          this.#waiting.delete(reject)
          reject(error as Error)
        },
      )
      if (this.#isStuck) this.#letGo()
    })
  }

  stop(): void {
    clearInterval(this.#stepping)
  }

  #step(): void {
    if (!this.#isBusy) return
    this.#steps++
    if (this.#isStuck || this.#steps * STEP_MS < STUCK_MS) return
    this.#isStuck = true
    this.#log.error(
      { seconds: STUCK_MS / 1_000 },
      'the disk does not answer: deliveries get 503, and nothing is kept of what is said, until it does',
    )
    this.#onStuck()
    this.#letGo()
  }

  #letGo(): void {
    const { failure } = this
    if (!failure) return
    for (const reject of this.#waiting) reject(failure)
    this.#waiting.clear()
  }
}
