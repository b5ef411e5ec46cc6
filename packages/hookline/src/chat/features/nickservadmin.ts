// NickServ for server operators: other people's accounts.
import type { Changed, Created } from '../accounts.ts'
import type { ServiceTurn, Verb } from '../service.ts'

export const SAREGISTER: Verb<Created> = {
  name: 'SAREGISTER',
  usage: 'SAREGISTER <account> <password> [<email>]',
  help: 'registers an account for someone else',
  minWords: 2,
  maxWords: 3,
  privilege: 'accounts',
  prepare: ({ chat }, [name = '', password = '', email = null]) =>
    chat.world.accounts.create({ name, password, email }),
  run({ tell }, _, created) {
    tell(created.ok ? `${created.account} is now registered` : created.text)
  },
}

export const SAPASSWD = operator(
  'SAPASSWD',
  'SAPASSWD <account> <password>',
  'gives an account another password, for someone who forgot theirs',
  {
    change: ({ chat }, name, password) => chat.world.accounts.setPassword(name, password),
    done: 'has another password',
  },
  2,
)

export const SADROP = operator('SADROP', 'SADROP <account>', 'deletes an account', {
  change: ({ chat }, name) => chat.world.accounts.drop(name),
  done: 'has been deleted',
})

export const SUSPEND = operator(
  'SUSPEND',
  'SUSPEND <account> [<reason>]',
  'suspends an account, and disconnects everyone logged in to it',
  {
    change: ({ chat, user }, name, reason) => chat.world.accounts.suspend(name, user.nick, reason),
    done: 'is suspended',
  },
)

export const UNSUSPEND = operator('UNSUSPEND', 'UNSUSPEND <account>', 'lifts the suspension of an account', {
  change: ({ chat }, name) => chat.world.accounts.restore(name),
  done: 'is no longer suspended',
})

function operator(
  name: string,
  usage: string,
  help: string,
  what: {
    /** `rest`: the words after the account, as one text. */
    change: (turn: ServiceTurn, account: string, rest: string) => Promise<Changed>
    done: string
  },
  minWords = 1,
): Verb<Changed> {
  return {
    name,
    usage,
    help,
    minWords,
    privilege: 'accounts',
    prepare: (turn, [account = '', ...rest]) => what.change(turn, account, rest.join(' ')),
    run({ tell }, [account = ''], changed) {
      tell(changed.ok ? `${account.slice(0, 64)} ${what.done}` : changed.text)
    },
  }
}
