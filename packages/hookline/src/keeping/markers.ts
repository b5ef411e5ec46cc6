// Read markers of accounts: saved shortly after they move, and restored at start.
import type { Chat } from '../chat/chat.ts'
import { accountKey, type ChannelKey, channelKey } from '../irc/names.ts'
import type { Log } from '../log/log.ts'
import type { Store } from '../store/store.ts'

const KIND = 'read-marker'
/** A client moves its marker with every message read: moves within this time are saved together. */
const GATHER_MS = 1_000

export class Markers {
  readonly #chat: Chat
  readonly #store: Store
  readonly #log: Log
  readonly #moved = new Set<string>()
  #timer: NodeJS.Timeout | undefined

  constructor(chat: Chat, { store, log }: { store: Store; log: Log }) {
    this.#chat = chat
    this.#store = store
    this.#log = log
  }

  async restore(): Promise<void> {
    for (const { key, json } of await this.#store.records.all(KIND)) {
      const markers = Object.entries(JSON.parse(json) as Record<string, number>)
      this.#chat.propose({ kind: 'read.marked', owner: key, markers })
    }
    this.#chat.log.follow(this.#chat.log.next, ({ event }) => {
      if (event.kind === 'read.marked' && event.owner.startsWith('@')) this.#note(event.owner)
      else if (event.kind === 'channel.renamed') this.#noteThoseOf(channelKey(event.name))
      else if (event.kind === 'clock.mended') this.#noteAll()
      else if (event.kind === 'account.dropped') this.#note(`@${event.account}`)
      else if (event.kind === 'account.made') this.#note(`@${accountKey(event.name)}`)
    })
  }

  /** A renamed channel changes the markers of everybody who has read in it. */
  #noteThoseOf(channel: ChannelKey): void {
    for (const [owner, markers] of this.#chat.state.readMarkers)
      if (owner.startsWith('@') && markers.has(channel)) this.#note(owner)
  }

  #noteAll(): void {
    for (const owner of this.#chat.state.readMarkers.keys()) if (owner.startsWith('@')) this.#note(owner)
  }

  #note(owner: string): void {
    this.#moved.add(owner)
    this.#timer ??= setTimeout(() => void this.#save(), GATHER_MS).unref()
  }

  async #save(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const owners = [...this.#moved]
    this.#moved.clear()
    if (owners.length === 0) return
    const { readMarkers } = this.#chat.state
    try {
      await this.#store.records.save(
        owners.map((key) => {
          const markers = readMarkers.get(key)
          return { kind: KIND, key, json: markers ? JSON.stringify(Object.fromEntries(markers)) : null }
        }),
      )
    } catch (error) {
      this.#log.warn({ err: error }, 'read markers could not be written; it will be tried again')
      for (const owner of owners) this.#note(owner)
    }
  }

  /** Saves what has moved since the last time. */
  async close(): Promise<void> {
    await this.#save()
    clearTimeout(this.#timer)
  }
}
