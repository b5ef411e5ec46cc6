// Listeners to the chat's log: watchers of channels, and kept messages for those who arrive.
import type { Chat } from '../chat/chat.ts'
import type { Event } from '../chat/events.ts'
import { type SpokenEntry, spokenOf } from '../chat/spoken.ts'
import type { State } from '../chat/state.ts'
import { type ChannelKey, channelKey } from '../irc/names.ts'
import type { Rooms } from './rooms.ts'

export type Watcher = (spoken: SpokenEntry) => void

export class Audience {
  readonly #watches = new Set<Watch>()

  /** Starts following the log. */
  constructor(chat: Chat, { virtualUsers, deliveries }: Pick<Rooms, 'virtualUsers' | 'deliveries'>) {
    chat.log.follow(0, (entry) => {
      const { event } = entry
      const arrived = arrivedIn(chat.state, event)
      if (arrived !== undefined) {
        // Kept messages go to a person: not to a bot of that name, nor to somebody who merely has the nick of an
        // account.
        if (virtualUsers.isPresent(arrived)) void deliveries.deliverKept(arrived)
        return
      }
      if (this.#watches.size === 0) return
      if (event.kind === 'channel.renamed') return this.#rename(event.channel, channelKey(event.name))
      const spoken = spokenOf(chat.state, entry)
      if (spoken !== undefined) this.#tell(spoken)
    })
  }

  /** `channel` undefined: every channel. One that is renamed is still watched. Returns a function that stops it. */
  watch(channel: string | undefined, watcher: Watcher): () => void {
    const watch = { channel: channel === undefined ? undefined : channelKey(channel), watcher }
    this.#watches.add(watch)
    return () => void this.#watches.delete(watch)
  }

  #rename(old: ChannelKey, channel: ChannelKey): void {
    for (const watch of this.#watches) if (watch.channel === old) watch.channel = channel
  }

  #tell(spoken: SpokenEntry): void {
    const key = channelKey(spoken.channel)
    for (const { channel, watcher } of this.#watches)
      if (channel === undefined || channel === key) watcher(spoken)
  }
}

interface Watch {
  channel: ChannelKey | undefined
  readonly watcher: Watcher
}

/** The nick of somebody who has just arrived, renamed, returned, or logged in or out. */
function arrivedIn(state: State, event: Event): string | undefined {
  if (event.kind === 'user.registered' || event.kind === 'nick.changed') return event.nick
  const isSomebody = event.kind === 'session.attached' || event.kind === 'user.account'
  return isSomebody ? state.users.get(event.user)?.nick : undefined
}
