// An always-on user comes back: clients that would not ask for history themselves are told of direct messages that came meanwhile.
import { CAPS } from '../../../irc/caps.ts'
import type { Chat } from '../../chat.ts'
import { tellFrom } from '../../service.ts'
import type { Session } from '../../session.ts'
import type { User } from '../../state.ts'
import { correspondents, PLAYBACK } from './playback.ts'

/** With the longest names that the configuration allows, the notice is still one line. */
const MOST_NAMES = 3

/** `since`: when its last connection went, in ms. */
export function tellMissed(chat: Chat, session: Session, user: User, since: number): void {
  const asks = session.has(CAPS['draft/chathistory']) || session.has(CAPS['znc.in/playback'])
  if (asks || !chat.settings.history.isKept) return
  void correspondents(chat, user, since)
    .then((found) => {
      if (session.isClosed || found === undefined || found.length === 0) return
      const names = found.map(({ name }) => name)
      tellFrom(PLAYBACK, { chat, session, user }, missedText(names, since))
    })
    .catch((error: unknown) => chat.world.report(error))
}

function missedText(names: readonly string[], since: number): string {
  const named = names.slice(-MOST_NAMES)
  const play = `/msg *playback PLAY ${named.join(',')} ${Math.floor(since / 1_000)}`
  const others = named.length < names.length ? '; LIST names the others, too' : ''
  return `There are direct messages from while you were not connected: ${play} shows them${others}`
}
