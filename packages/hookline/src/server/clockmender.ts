// What was stamped while the machine's clock was more than a day ahead is pulled back once the clock is right.
import type { Accounts } from '../accounts/accounts.ts'
import type { Chat } from '../chat/chat.ts'
import { endSuspended } from '../keeping/accounts.ts'
import type { Log } from '../log/log.ts'
import type { Store } from '../store/store.ts'

interface ChatRooms {
  readonly chat: Chat
  readonly accounts: Accounts
}

export class ClockMender {
  readonly #store: Pick<Store, 'mend' | 'clock'>
  readonly #log: Log
  #rooms: ChatRooms | undefined
  #mending: Promise<void> | undefined
  /** The clock is right since then, and what was stamped ahead is still to be pulled back. */
  #since: number | undefined

  constructor(store: Pick<Store, 'mend' | 'clock'>, log: Log) {
    this.#store = store
    this.#log = log
  }

  /** The clock was, and is right from `since` on. Never rejects. */
  async wasAhead(since: number): Promise<void> {
    this.#since = since
    if (this.#rooms !== undefined) await (this.#mending ??= this.#mend(this.#rooms))
  }

  /** What an earlier run left on disk; call before it is read. */
  async start(now: number): Promise<void> {
    if (this.#store.clock.wasAhead) this.#since ??= now
    if (this.#since !== undefined) await this.#onDisk(this.#since)
  }

  /** Call when the chat is as it was. */
  follow(rooms: ChatRooms): void {
    this.#rooms = rooms
    this.#inChat(rooms.chat)
  }

  async #mend(rooms: ChatRooms): Promise<void> {
    try {
      while (this.#since !== undefined) {
        await this.#onDisk(this.#since)
        this.#inChat(rooms.chat)
        // By the wrong clock, their suspension had ended.
        await endSuspended(rooms.accounts, rooms.chat)
      }
    } catch (error) {
      this.#log.error(
        { err: error },
        'what was decided by a wrong clock could not be undone: restart the server',
      )
    } finally {
      this.#mending = undefined
    }
  }

  async #onDisk(since: number): Promise<void> {
    try {
      const moved = await this.#store.mend({ since, after: since + HALF_DAY_MS })
      if (moved > 0)
        this.#log.warn(
          { moved },
          'the clock was ahead by more than a day: times that lay ahead were pulled back',
        )
    } catch (error) {
      this.#log.error({ err: error }, 'times that lie ahead could not be pulled back: restart the server')
    }
  }

  #inChat(chat: Chat): void {
    if (this.#since === undefined) return
    chat.propose({ kind: 'clock.mended', until: this.#since - 1 })
    this.#since = undefined
  }
}

/** What is said since may come to the disk together with the mending, and keeps its time. */
const HALF_DAY_MS = 43_200_000
