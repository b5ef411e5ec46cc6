// NickServ: accounts, in words.
import type { Service, Verb } from '../service.ts'
import { findAccount } from '../state.ts'

const INFO: Verb = {
  name: 'INFO',
  usage: 'INFO [<account>]',
  help: 'tells about an account, or about your own',
  minWords: 0,
  run({ state, user, tell }, [name]) {
    const wanted = name ?? user.account
    if (wanted === null) return tell('You are not logged in')
    const account = findAccount(state, wanted)
    if (account === undefined) return tell('There is no such account')
    tell(`${account.name} is registered since ${new Date(account.createdAt).toISOString()}`)
  },
}

export const NICKSERV: Service = {
  nick: 'NickServ',
  about: 'NickServ looks after accounts: a name that is yours, whether you are here or not.',
  verbs: new Map([INFO].map((verb) => [verb.name, verb])),
}
