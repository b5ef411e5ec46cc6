// QUIT: leaving the server, voluntarily or not.
import { accountKey, type ChannelKey, nickKey } from '../../irc/names.ts'
import { cutText } from '../../irc/split.ts'
import { type Command, effect } from '../command.ts'
import type { UserQuit } from '../events.ts'
import { mustGet, rememberNick, setUserModes, type User } from '../state.ts'
import { forgetAccepts } from './accept.ts'
import { forgetMarkers } from './history/markread.ts'
import { tellWent } from './monitor.ts'
import { leaveChannel } from './part.ts'

export const QUIT: Command = {
  name: 'QUIT',
  minParams: 0,
  when: 'always',
  help: 'QUIT [:<reason>]: leaves the server',
  run({ chat, session, user }, { params: [reason] }) {
    const said = cutText(reason ?? '', chat.settings.limits.kickLength)
    const message = `Quit${said === '' ? '' : `: ${said}`}`
    // Others are not told if the user has more connections, or stays without one; this connection is.
    if (user !== undefined) session.send(chat.lineOf(user, { at: chat.world.now() }, 'QUIT', [message]))
    chat.close(session, message)
  },
}

/** A user as it was, and the channels that hid it (+u). */
export type Gone = User & { readonly hiddenIn: ReadonlySet<ChannelKey> }

export const userQuit = effect<UserQuit, Gone>({
  apply(state, { user: key }, { at }) {
    const user = mustGet(state.users, key)
    const hiddenIn = new Set<ChannelKey>()
    const gone = { ...user, channels: new Map(user.channels), hiddenIn }
    for (const channel of gone.channels.values())
      if (leaveChannel(state, channel, user).isHidden) hiddenIn.add(channel.key)
    rememberNick(state, user, at)
    for (const name of user.invitations) state.channels.get(name)?.invited.delete(key)
    state.nicks.delete(nickKey(user.nick))
    forgetAccepts(state, key)
    forgetMarkers(state, key)
    state.users.delete(key)
    setUserModes(state, user, [])
    if (user.account !== null) state.accounts.get(accountKey(user.account))?.users.delete(user)
    return gone
  },
  announce(chat, { reason }, gone, entry) {
    const { channels, hiddenIn } = gone
    chat.toPeers(channels.values(), chat.lineOf(gone, entry, 'QUIT', [reason]), { hiddenIn })
    tellWent(chat, gone.nick, gone)
  },
})
