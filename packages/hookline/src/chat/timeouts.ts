// Connections that never finish registering, and those silent for too long.
import type { Chat } from './chat.ts'
import { Line } from './output/line.ts'

/** Closes those connections, and sends a PING to those that are silent. */
export function closeSilent(chat: Chat): void {
  const now = chat.world.elapsed()
  const { registrationMs, pingAfterMs, pingTimeoutMs } = chat.settings.limits
  for (const session of chat.sessions.values()) {
    // What it has sent lies unread here: its silence is the server's doing.
    if (session.isWorking) {
      session.heardAt = now
      session.pingedAt = undefined
    }
    if (session.user === undefined) {
      if (now - session.connectedAt > registrationMs) chat.departures.add(session, 'Registration timed out')
    } else if (session.pingedAt !== undefined) {
      if (now - session.pingedAt > pingTimeoutMs) {
        chat.departures.add(session, `Ping timeout: ${Math.round((now - session.heardAt) / 1000)} seconds`)
      }
    } else if (now - session.heardAt > pingAfterMs) {
      session.pingedAt = now
      // Without a source, as from Ergo: many simple clients look for lines that begin with PING.
      session.sendUnlabelled(new Line({ source: undefined, command: 'PING', params: [chat.settings.name] }))
    }
  }
}
