// ISUPPORT: what this server offers, on request, even before registration.
// https://ircv3.net/specs/extensions/extended-isupport
import { CAPS } from '../../irc/caps.ts'
import { isupportLines, isupportNews } from '../../irc/isupport.ts'
import * as numerics from '../../irc/numerics.ts'
import type { Chat } from '../chat.ts'
import type { Command } from '../command.ts'
import type { Session } from '../session.ts'
import { type ChatSettings, offerOf } from '../settings.ts'

export const ISUPPORT: Command = {
  name: 'ISUPPORT',
  minParams: 0,
  when: 'always',
  help: 'ISUPPORT: lists what this server supports',
  run({ chat, session, reply }) {
    // "When the capability is enabled … the server MUST accept ISUPPORT commands before connection registration completes"
    if (session.user === undefined && !session.has(CAPS['draft/extended-isupport']))
      return reply(numerics.ERR_NOTREGISTERED)
    tellIsupport(chat, session)
  },
}

export function tellIsupport(chat: Chat, session: Session): void {
  tell(chat, session, tokensOf(chat.settings))
}

/** "If the value of a parameter changes, the server SHOULD re-advertise the parameter": after new settings, to all who are registered. */
export function tellIsupportNews(chat: Chat, before: ChatSettings): void {
  const news = isupportNews(offerOf(before), offerOf(chat.settings))
  if (news.length === 0) return
  for (const session of chat.sessions.values()) if (session.user !== undefined) tell(chat, session, news)
}

/** "The server MUST NOT send any unbatched RPL_ISUPPORT message while both of these capabilities are enabled." */
function tell(chat: Chat, session: Session, tokens: readonly (readonly string[])[]): void {
  const { code, text = '' } = numerics.RPL_ISUPPORT
  // Not as `chat.numeric` does, which cuts what a client may have sent.
  const said = { command: code, at: chat.world.now() }
  const lines = tokens.map((each) => chat.line({ ...said, params: [session.nick, ...each, text] }))
  if (session.has(CAPS['draft/extended-isupport']) && session.has(CAPS.batch)) {
    session.send(chat.batch({ type: 'draft/isupport', lines }))
  } else for (const line of lines) session.send(line)
}

/** The same for everybody, until the settings are reloaded. */
function tokensOf(settings: ChatSettings): string[][] {
  let tokens = known.get(settings)
  if (tokens === undefined) {
    tokens = isupportLines(offerOf(settings))
    known.set(settings, tokens)
  }
  return tokens
}

const known = new WeakMap<ChatSettings, string[][]>()
