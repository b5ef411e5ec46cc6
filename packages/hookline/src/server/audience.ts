// Listeners to the chat's log: watchers of channels, and kept messages for those who arrive.
import type { Event } from '../chat/events.ts'
import type { Chat } from '../chat/spine.ts'
import { type SpokenEntry, spokenOf } from '../chat/spoken.ts'
import type { State } from '../chat/state.ts'
import { channelKey } from '../irc/names.ts'
import type { Rooms } from './rooms.ts'

export type Watcher = (spoken: SpokenEntry) => void

export class Audience {
  readonly #watchers = new Set<Watcher>()

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
      if (this.#watchers.size === 0) return
      const spoken = spokenOf(chat.state, entry)
      if (spoken !== undefined) for (const watcher of this.#watchers) watcher(spoken)
    })
  }

  /** `channel` undefined: every channel. Returns a function that stops it. */
  watch(channel: string | undefined, watcher: Watcher): () => void {
    const wanted = channel === undefined ? undefined : channelKey(channel)
    const each: Watcher = (spoken) => {
      if (wanted === undefined || channelKey(spoken.channel) === wanted) watcher(spoken)
    }
    this.#watchers.add(each)
    return () => void this.#watchers.delete(each)
  }
}

/** The nick of somebody who has just arrived, renamed, returned, or logged in or out. */
function arrivedIn(state: State, event: Event): string | undefined {
  if (event.kind === 'user.registered' || event.kind === 'nick.changed') return event.nick
  const isSomebody = event.kind === 'session.attached' || event.kind === 'user.account'
  return isSomebody ? state.users.get(event.user)?.nick : undefined
}
