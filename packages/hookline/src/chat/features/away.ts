// AWAY: not at the keyboard, and why.
import { CAP } from '../../irc/caps.ts'
import * as numerics from '../../irc/numerics.ts'
import { cutText } from '../../irc/split.ts'
import { type Command, happening } from '../command.ts'
import { mustGet, type UserKey } from '../state.ts'

export type AwayChanged = { kind: 'away.changed'; user: UserKey; message: string | undefined }

export const AWAY: Command = {
  name: 'AWAY',
  minParams: 0,
  when: 'registered',
  help: 'AWAY [:<message>]: marks you as away, or as back',
  run({ chat, user, propose }, { params: [message = ''] }) {
    const text = message === '' ? undefined : cutText(message, chat.settings.limits.awayLength)
    propose({ kind: 'away.changed', user: user.key, message: text })
  },
}

export const awayChanged = happening<AwayChanged>({
  apply(state, { user, message }) {
    mustGet(state.users, user).away = message
  },
  announce(chat, { user: key, message }, _, entry) {
    const user = mustGet(chat.state.users, key)
    const session = chat.originOf(entry)
    session?.send(
      chat.numeric(session, message === undefined ? numerics.RPL_UNAWAY : numerics.RPL_NOWAWAY, []),
    )
    const line = chat.lineOf(user, entry, 'AWAY', message === undefined ? [] : [message])
    chat.toPeers(user.channels.values(), line, {
      except: user,
      cap: CAP['away-notify'],
      also: chat.followers(user),
    })
  },
})
