// Who may have messages waiting. Everybody who connects is looked up and hardly anybody has any, so those who have none are known
// without reading the disk.
import type { KeptFor, KeptMessage } from './deliveryrows.ts'

export class Recipients {
  /** By nick, how often something was kept for it. */
  readonly #kept = new Map<string, number>()

  add(nick: string): void {
    this.#kept.set(nick, (this.#kept.get(nick) ?? 0) + 1)
  }

  addAll(messages: readonly KeptMessage[]): void {
    for (const { nick } of messages) this.add(nick)
  }

  /** What waits for a nick; calls `read` only if there may be something. */
  async of(nick: string, read: (nick: string) => Promise<KeptFor>): Promise<KeptFor> {
    const times = this.#kept.get(nick)
    if (times === undefined) return NOTHING
    const found = await read(nick)
    const isNothing = found.messages.length === 0 && found.dropped === 0
    // Unless something was kept for it while it was read.
    if (isNothing && this.#kept.get(nick) === times) this.#kept.delete(nick)
    return found
  }
}

const NOTHING: KeptFor = { messages: [], dropped: 0 }
