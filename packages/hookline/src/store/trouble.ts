// What is logged while the disk writes nothing, or too little: at once, then once a minute, and when it is over.
import type { Log } from '../log/log.ts'

const EVERY_MS = 60_000

export class Trouble {
  readonly #log: Log
  #reason: string | undefined
  /** Lines dropped since the disk last worked, or since the log last said that it is slow. */
  #dropped = 0
  #toldAt = -Infinity

  constructor(log: Log) {
    this.#log = log
  }

  /** Why the disk writes nothing; undefined while it works. */
  get reason(): string | undefined {
    return this.#reason
  }

  begin(reason: string, waiting: number): void {
    if (this.#reason === undefined) this.#toldAt = -Infinity
    this.#reason = reason
    this.#tell(waiting)
  }

  /** A line was lost. */
  drop(waiting: number): void {
    this.#dropped++
    this.#tell(waiting)
  }

  end(): void {
    if (this.#reason === undefined) return
    this.#reason = undefined
    this.#toldAt = -Infinity
    this.#log.info({ dropped: this.#dropped }, 'the store works again')
    this.#dropped = 0
  }

  #tell(waiting: number): void {
    const now = performance.now()
    if (now - this.#toldAt < EVERY_MS) return
    this.#toldAt = now
    const reason = this.#reason
    if (reason === undefined) return this.#tellSlow(waiting)
    this.#log.error(
      { reason, waiting, dropped: this.#dropped },
      'the history cannot be written: check that the disk works and has room; it is retried automatically',
    )
  }

  #tellSlow(waiting: number): void {
    const dropped = this.#dropped
    this.#dropped = 0
    this.#log.error(
      { waiting, dropped },
      'too many writes are waiting for the disk: messages are left out of the history',
    )
  }
}
