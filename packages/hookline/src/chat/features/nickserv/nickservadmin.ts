// NickServ for server operators: other people's accounts.
import { formatUntil } from '../../../irc/time.ts'
import type { Changed, Created } from '../../accounts.ts'
import { parseDuration } from '../../duration.ts'
import type { ServiceTurn, Verb } from '../../service.ts'

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

/** As in Ergo, except that the account's name comes without ADD. */
export const SUSPEND: Verb<Changed<{ until: number | null }>> = {
  name: 'SUSPEND',
  usage: 'SUSPEND <account> [DURATION <time>] [<reason>]',
  help: 'suspends an account, for a time such as 1d12h or for good, and disconnects everyone logged in to it, who are told the reason at the next login',
  minWords: 1,
  privilege: 'accounts',
  prepare({ chat, user }, [account = '', ...words]) {
    const isTimed = words[0]?.toUpperCase() === 'DURATION'
    const durationMs = isTimed ? parseDuration(words[1] ?? '') : undefined
    if (isTimed && durationMs === undefined) return Promise.resolve(NO_DURATION)
    const reason = words.slice(isTimed ? 2 : 0).join(' ')
    return chat.world.accounts.suspend(account, { by: user.nick, reason, durationMs })
  },
  run({ tell }, [account = ''], changed) {
    if (!changed.ok) return tell(changed.text)
    tell(`${account.slice(0, 64)} is suspended${formatUntil(changed.until)}`)
  },
}

const NO_DURATION = {
  ok: false,
  reason: 'refused',
  text: 'DURATION must be a time such as 90m or 1d12h, at most ten years',
} as const

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
