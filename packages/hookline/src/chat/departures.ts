// Connections ended for slowness or silence: many may have to go at once, and each is announced to all who share a channel with it.
// So a few go in each turn of the event loop, and others are served in between.
import type { Session } from './session.ts'

/** Per turn. In a channel of 200 one takes 0.1 ms, and the system more to free some MiB that a slow reader has not read. */
const IN_A_TURN = 4

export class Departures {
  readonly #soon: (run: () => void) => void
  readonly #close: (session: Session, reason: string) => void
  readonly #waiting = new Map<Session, string>()

  /** `soon` runs a function in the next turn. */
  constructor(soon: (run: () => void) => void, close: (session: Session, reason: string) => void) {
    this.#soon = soon
    this.#close = close
  }

  /** Ends it in one of the next turns. */
  add(session: Session, reason: string): void {
    if (this.#waiting.size === 0) this.#schedule()
    this.#waiting.set(session, reason)
  }

  #schedule(): void {
    this.#soon(() => this.#turn())
  }

  #turn(): void {
    for (const [session, reason] of this.#waiting.entries().take(IN_A_TURN)) {
      this.#close(session, reason)
      this.#waiting.delete(session)
    }
    if (this.#waiting.size > 0) this.#schedule()
  }
}
