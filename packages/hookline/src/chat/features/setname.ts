// SETNAME: changing one's real name. https://ircv3.net/specs/extensions/setname
import { CAPS } from '../../irc/caps.ts'
import { byteLength } from '../../irc/split.ts'
import { type Command, effect } from '../command.ts'
import type { RealnameChanged } from '../events.ts'
import { mustGet } from '../state.ts'

export const SETNAME: Command = {
  name: 'SETNAME',
  minParams: 1,
  when: 'registered',
  help: 'SETNAME :<real name>: changes your real name',
  run({ chat, user, fail, propose }, { params }) {
    // People who type the command themselves forget the colon.
    const realname = params.join(' ')
    if (realname === '' || byteLength(realname) > chat.settings.limits.realnameLength) {
      return fail(
        'INVALID_REALNAME',
        [],
        `A real name must have 1 to ${chat.settings.limits.realnameLength} bytes`,
      )
    }
    propose({ kind: 'realname.changed', user: user.key, realname })
  },
}

export const realnameChanged = effect<RealnameChanged>({
  apply(state, { user, realname }) {
    mustGet(state.users, user).realname = realname
  },
  announce(chat, event, _, entry) {
    const user = mustGet(chat.state.users, event.user)
    const line = chat.lineOf(user, entry, 'SETNAME', [event.realname])
    chat.toUser(user, line, CAPS.setname)
    chat.toPeers(user.channels.values(), line, {
      except: user,
      cap: CAPS.setname,
      also: chat.followers(user),
    })
  },
})
