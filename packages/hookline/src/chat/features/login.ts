// Logging in and out, whatever the account was proved with.
import * as numerics from '../../irc/numerics.ts'
import type { Client } from '../accounts.ts'
import type { Chat } from '../chat.ts'
import type { Turn } from '../command.ts'
import type { Session } from '../session.ts'
import { maskOf } from '../state.ts'

/** The account is proved; null logs out. Before registration the connection keeps it until it becomes a user. */
export function logIn(
  { chat, session, user, propose }: Turn,
  { account, token }: { readonly account: string | null; readonly token?: string | undefined },
): void {
  session.token = token
  if (user === undefined) {
    session.introduction.account = account
    return tellAccount(chat, session, account)
  }
  if (user.account === account) return tellAccount(chat, session, account)
  propose({ kind: 'user.account', user: user.key, account })
}

/** For the accounts: where it comes from, and its certificate. */
export function clientOf({ address, certfp }: Session): Client {
  return { address, certfp }
}

/** sasl-3.1: 900 and 901 tell a client of its account, however it gained or lost it. */
export function tellAccount(chat: Chat, session: Session, account: string | null): void {
  const { nick = '*', username = '*' } = session.introduction
  const mask = session.user ? maskOf(session.user) : `${nick}!${username}@${session.host}`
  if (account === null) chat.reply(session, numerics.RPL_LOGGEDOUT, mask)
  else chat.reply(session, numerics.RPL_LOGGEDIN, mask, account, `You are now logged in as ${account}`)
}
