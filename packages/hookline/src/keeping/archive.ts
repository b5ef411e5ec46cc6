// History, between the chat and the store: records events as they happen, and answers the chat's queries. chat/past.ts
// and store/historyrows.ts each define the same types, as neither module knows the other: here the compiler checks that
// they match.
import type { Chat } from '../chat/chat.ts'
import type { Entry } from '../chat/events.ts'
import type {
  History,
  PageQuery,
  Past,
  PastMessage,
  Redaction,
  TargetsQuery,
  WordQuery,
} from '../chat/past.ts'
import { eventRecord, messageRecord } from '../chat/record.ts'
import { timeOfId } from '../store/ids.ts'
import type { Log } from '../log/log.ts'
import type { TargetRow } from '../store/historyrows.ts'
import { wordsOf } from '../store/search.ts'
import type { Store } from '../store/store.ts'

export class Archive implements History {
  readonly timeOf = timeOfId
  readonly #store: Store
  readonly #log: Log
  #isEnding = false

  constructor(store: Store, log: Log) {
    this.#store = store
    this.#log = log
  }

  /** Starts recording. */
  follow(chat: Chat): void {
    chat.observe((entry, change) => {
      if (chat.settings.history.isKept) this.#keep(chat, entry, change)
    })
  }

  /** From now on users leave because the server stops, which is not recorded in any channel. */
  end(): void {
    this.#isEnding = true
  }

  #keep({ state, settings }: Chat, entry: Entry, change: unknown): void {
    const { event } = entry
    if (event.kind === 'said') {
      const message = messageRecord(state, entry, event, settings.history.keptTags)
      if (message !== undefined) this.#store.remember(message)
    } else if (!this.#isEnding) {
      const happened = eventRecord(state, entry, change)
      if (happened !== undefined) this.#store.happened(happened)
    }
  }

  async find(id: string): Promise<PastMessage | undefined> {
    const row = await this.#asked(() => this.#store.message(id))
    return row?.redacted ? undefined : row
  }

  async redact(id: string, redaction: Redaction): Promise<boolean> {
    const done = await this.#asked(() => this.#store.redact(id, redaction).then(() => true))
    return done ?? false
  }

  page(query: PageQuery): Promise<readonly Past[] | undefined> {
    return this.#asked(() => this.#store.page(query))
  }

  targets(query: TargetsQuery): Promise<readonly TargetRow[] | undefined> {
    return this.#asked(() => this.#store.targets(query))
  }

  search({ text, ...query }: WordQuery): Promise<readonly Past[] | undefined> {
    const words = wordsOf(text)
    // Punctuation alone has no words, and matches no message.
    if (words.length === 0 && text !== '') return Promise.resolve([])
    return this.#asked(() => this.#store.search({ ...query, words }))
  }

  /** Undefined if the disk fails; the log says why. */
  async #asked<T>(ask: () => Promise<T>): Promise<T | undefined> {
    try {
      return await ask()
    } catch (error) {
      this.#log.warn({ err: error }, 'the history could not be queried')
      return undefined
    }
  }
}
