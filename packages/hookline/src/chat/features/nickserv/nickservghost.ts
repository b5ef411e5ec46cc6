// NickServ GHOST and RECOVER: end a hanging connection, or whoever has one's nick.
import { isOwn } from '../../rules/account.ts'
import { refusesNick } from '../../rules/nick.ts'
import type { ServiceTurn, Verb } from '../../service.ts'
import { findUser, type User } from '../../state.ts'

export const GHOST: Verb = {
  name: 'GHOST',
  usage: 'GHOST <nick>',
  help: 'disconnects whoever uses your nick or is logged in to your account',
  minWords: 1,
  needsAccount: true,
  run(turn, [nick = '']) {
    const target = targetOf(turn, nick)
    if (target === undefined) return
    turn.chat.end(target, endedBy(turn))
    turn.tell(`${target.nick} has been disconnected`)
  },
}

export const RECOVER: Verb = {
  name: 'RECOVER',
  usage: 'RECOVER [<nick>]',
  help: 'gives you back your nick, and disconnects whoever uses it',
  minWords: 0,
  needsAccount: true,
  run(turn, [wanted]) {
    const { chat, state, user, account, tell, propose } = turn
    const nick = wanted ?? account
    if (user.nick === nick) return tell(`Your nick is already ${nick}`)
    const holder = findUser(state, nick) ?? user
    if (holder.key !== user.key && targetOf(turn, nick) === undefined) return
    const refusal = refusesNick(chat, nick, holder, account)
    if (refusal !== undefined) return tell(refusal.text ?? 'That nick is not available')

    if (holder.key !== user.key) chat.end(holder, endedBy(turn))
    propose({ kind: 'nick.changed', user: user.key, nick })
  },
}

function targetOf({ state, user, tell }: ServiceTurn, nick: string): User | undefined {
  const target = findUser(state, nick)
  if (target === undefined) return void tell('No such nick')
  if (target.key === user.key) return void tell('You cannot disconnect yourself')
  return isOwn(user, target) ? target : void tell('That nick is not yours')
}

function endedBy({ user }: ServiceTurn): string {
  return `Disconnected by ${user.nick} (NickServ)`
}
