// The machine's clock was more than a day ahead, and is right again.
import { effect } from '../command.ts'
import type { ClockMended } from '../events.ts'
import type { ServerBan } from '../state.ts'
import { turnAwayIfBanned } from './serverban.ts'

/** What was said meanwhile is pulled back in history; here, whatever would wait for the time to come, or not be seen until then. */
export const clockMended = effect<ClockMended>({
  apply(state, { until }, { id }) {
    for (const markers of state.readMarkers.values())
      for (const [target, time] of markers) if (time > until) markers.set(target, until)
    for (const account of state.accounts.values()) account.createdAt = Math.min(account.createdAt, until)
    for (const ban of state.bans.values())
      if (ban.at > until) state.bans.set(ban.target, pulledBack(ban, until))
    state.newestChannelAt = Math.min(state.newestChannelAt, until)
    for (const channel of state.channels.values()) {
      channel.inhabitedSince = Math.min(channel.inhabitedSince, until)
      if (channel.renamedAt !== undefined) channel.renamedAt = Math.min(channel.renamedAt, until)
    }
    for (const user of state.users.values()) {
      // Ids sort by time.
      if (user.nickSince > id) user.nickSince = id
      if (user.goneAt !== undefined) user.goneAt = Math.min(user.goneAt, until)
    }
  },
  announce(chat) {
    // By the wrong clock, some bans had ended.
    for (const session of Array.from(chat.sessions.values())) turnAwayIfBanned(chat, session)
  },
})

/** For as long as it was to last. */
function pulledBack(ban: ServerBan, at: number): ServerBan {
  return { ...ban, at, until: ban.until === null ? null : ban.until - ban.at + at }
}
