// NICK: taking a name, and changing it.
import { nickKey } from '../../irc/names.ts'
import * as numerics from '../../irc/numerics.ts'
import { type Command, effect } from '../command.ts'
import type { NickChanged } from '../events.ts'
import { channelHoldingNick, refusesNick, refusesWish } from '../rules/nick.ts'
import { mustGet, rememberNick } from '../state.ts'
import { tellCame, tellWent } from './monitor.ts'
import { tryRegister } from './registration.ts'
import { turnAwayIfBanned } from './serverban.ts'

export const NICK: Command = {
  name: 'NICK',
  minParams: 0,
  when: 'always',
  help: 'NICK <nick>: sets or changes your nick',
  run(turn, { params: [nick = ''] }) {
    const { chat, session, user, reply, propose } = turn
    if (nick === '') return reply(numerics.ERR_NONICKNAMEGIVEN)
    const refusal = user === undefined ? refusesWish(chat, nick) : refusesNick(chat, nick, user)
    if (user === undefined && refusal !== numerics.ERR_ERRONEUSNICKNAME)
      session.introduction.wantedNick = nick
    if (refusal !== undefined) return reply(refusal, nick)
    if (user === undefined) {
      session.introduction.nick = nick
      return tryRegister(turn)
    }
    if (user.nick === nick) return
    const held = channelHoldingNick(user, nick)?.name
    if (held !== undefined) {
      const why = `You cannot change your nick while you are banned or muted in ${held}`
      return reply(numerics.ERR_BANONCHAN, nick, held, why)
    }

    propose({ kind: 'nick.changed', user: user.key, nick })
  },
}

export const nickChanged = effect<NickChanged, string>({
  apply(state, { user: key, nick }, { at, id }) {
    const user = mustGet(state.users, key)
    const was = user.nick
    state.nicks.delete(nickKey(was))
    state.nicks.set(nickKey(nick), user)
    if (nickKey(was) !== nickKey(nick)) {
      rememberNick(state, user, at)
      user.nickSince = id
    }
    user.nick = nick
    return was
  },
  announce(chat, event, was, entry) {
    const user = mustGet(chat.state.users, event.user)
    const line = chat.lineOf({ ...user, nick: was }, entry, 'NICK', [event.nick])
    chat.toUser(user, line)
    chat.toPeers(user.channels.values(), line, { except: user })
    if (nickKey(was) === nickKey(user.nick)) return
    tellWent(chat, was, user)
    tellCame(chat, user)
    for (const session of chat.sessionsOf(user)) turnAwayIfBanned(chat, session)
  },
})
