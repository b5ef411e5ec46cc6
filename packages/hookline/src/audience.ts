// Those who follow what is said: history, whoever watches a channel, and letters that wait for somebody to come.
import type { Event } from './chat/events.ts'
import type { Chat } from './chat/spine.ts'
import { redactionOf, type SpokenEntry, spokenOf } from './chat/spoken.ts'
import type { State } from './chat/state.ts'
import type { VirtualUsers } from './chat/virtual.ts'
import type { Spoken } from './control/desk.ts'
import { channelKey } from './irc/names.ts'
import type { HistoryRow, Store } from './store/store.ts'
import type { Deliveries } from './webhooks/deliveries.ts'

export type Watcher = (spoken: Spoken) => void

export class Audience {
  readonly #watchers = new Set<Watcher>()

  /** Begins to follow the log. */
  constructor(chat: Chat, others: { store: Store; guests: VirtualUsers; deliveries: Deliveries }) {
    const { store, guests, deliveries } = others
    chat.log.follow(0, (entry) => {
      const { event } = entry
      const arrived = arrivedIn(chat.state, event)
      if (arrived !== undefined) {
        // What was kept for somebody goes to a person, not to a bot of that name.
        if (guests.isPresent(arrived)) void deliveries.deliverKept(arrived)
        return
      }
      if (event.kind === 'redacted') {
        const redaction = redactionOf(chat.state, entry)
        if (redaction !== undefined) store.redact(event.message, redaction)
        return
      }
      const spoken = spokenOf(chat.state, entry)
      if (spoken === undefined) return
      if (!spoken.isRecorded) store.remember(historyRow(spoken))
      if (spoken.isChannel && spoken.rank === undefined) this.#tell(spoken)
    })
  }

  /** `channel` undefined: every channel. Returns what stops it. */
  watch(channel: string | undefined, watcher: Watcher): () => void {
    const wanted = channel === undefined ? undefined : channelKey(channel)
    const each: Watcher = (spoken) => {
      if (wanted === undefined || channelKey(spoken.channel) === wanted) watcher(spoken)
    }
    this.#watchers.add(each)
    return () => void this.#watchers.delete(each)
  }

  #tell(spoken: SpokenEntry): void {
    for (const watcher of this.#watchers) watcher({ ...spoken, channel: spoken.target })
  }
}

/** The nick that somebody has from now on, or comes back to. */
function arrivedIn(state: State, event: Event): string | undefined {
  if (event.kind === 'user.registered' || event.kind === 'nick.changed') return event.nick
  return event.kind === 'session.attached' ? state.users.get(event.user)?.nick : undefined
}

/** What history keeps of it: who else heard it is no part of it. */
function historyRow(spoken: SpokenEntry): HistoryRow {
  const { id, time, command, conversation, target, from, mask, account, isBot, text, tags, delivery } = spoken
  return { id, time, command, conversation, target, from, mask, account, isBot, text, tags, delivery }
}
