// Who wrote to an always-on user while nobody was connected: told to clients that would not ask for history themselves.
import { CAPS } from '../../irc/caps.ts'
import { tellFrom } from '../service.ts'
import type { Session } from '../session.ts'
import type { Chat } from '../spine.ts'
import type { User } from '../state.ts'
import { correspondents, PLAYBACK } from './playback.ts'

/** With the longest nicks that the configuration allows, the notice is still one line. */
const MOST_NAMES = 4

export function tellMissed(chat: Chat, session: Session, user: User, since: number): void {
  const asks = session.has(CAPS['draft/chathistory']) || session.has(CAPS['znc.in/playback'])
  if (asks || !chat.settings.history.isKept) return
  void correspondents(chat, user, since)
    .then((found) => {
      if (session.isClosed || found === undefined || found.length === 0) return
      tellFrom(
        PLAYBACK,
        { chat, session, user },
        missedText(
          found.map(({ name }) => name),
          since,
        ),
      )
    })
    .catch((error: unknown) => chat.world.report(error))
}

function missedText(names: readonly string[], since: number): string {
  const named = names.slice(0, MOST_NAMES)
  const play = `/msg *playback PLAY ${named.join(',')} ${Math.floor(since / 1_000)}`
  const more = named.length < names.length ? ', /msg *playback LIST everybody' : ''
  return `You have messages that came while you were not connected: ${play} shows them${more}`
}
