// Connections ended for slowness or silence: many may have to go at once, and each is announced to all who share a channel with it.
// So a few go in each turn of the event loop, and others are served in between.
import type { Session } from './session.ts'
import type { Chat } from './spine.ts'

/** Per turn. In a channel of 200 one takes 0.1 ms, and the system more to free some MiB that a slow reader has not read. */
const IN_A_TURN = 4

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
    for (const [session, reason] of this.#waiting.entries().take(IN_A_TURN)) {
      this.#chat.close(session, reason)
      this.#waiting.delete(session)
    }
    if (this.#waiting.size > 0) this.#schedule()
  }
}
