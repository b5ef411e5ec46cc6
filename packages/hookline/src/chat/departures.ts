// Connections that are ended for their slowness or their silence: many may have to go at once, and each that goes is told to all who share
// a channel with it. So a few go in each turn of the event loop, and others are served in between.
import type { Session } from './session.ts'
import type { Chat } from './spine.ts'

/** In one turn connections are ended for about so long, and at least one is. */
const TURN_MS = 2

export class Departures {
  readonly #chat: Chat
  readonly #waiting = new Map<Session, string>()

  constructor(chat: Chat) {
    this.#chat = chat
  }

  /** Ends it in one of the next turns. */
  add(session: Session, reason: string): void {
    if (this.#waiting.size === 0) this.#schedule()
    this.#waiting.set(session, reason)
  }

  #schedule(): void {
    this.#chat.world.soon(() => this.#turn())
  }

  #turn(): void {
    const { world } = this.#chat
    const since = world.elapsed()
    for (const [session, reason] of this.#waiting) {
      this.#chat.close(session, reason)
      this.#waiting.delete(session)
      if (world.elapsed() - since >= TURN_MS) break
    }
    if (this.#waiting.size > 0) this.#schedule()
  }
}
