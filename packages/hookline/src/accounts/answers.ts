// The results of account operations, with a text for the user. A failed login does not reveal which accounts exist.

export type Refused<Reason extends string> = {
  readonly ok: false
  readonly reason: Reason
  readonly text: string
}

/** `later`: too many tries, too many at once, or a storage failure. */
export type LoginRefusal = 'wrong' | 'suspended' | 'later'

/** `token`: the label of the token that proved it; undefined if it was a password or certificate. */
export type Verdict =
  | { readonly ok: true; readonly account: string; readonly token?: string }
  | Refused<LoginRefusal>

/** `name`, `weak`, `password` and `email`: that value is not acceptable. */
export type CreateRefusal = 'exists' | 'name' | 'weak' | 'password' | 'email' | 'later'

export type Created = { readonly ok: true; readonly account: string } | Refused<CreateRefusal>

/** `absent`: no such account, token or certificate. `refused`: a value is not acceptable. */
export type ChangeRefusal = 'absent' | 'refused' | 'later'

export type Changed<T = object> = ({ readonly ok: true } & T) | Refused<ChangeRefusal>

export function refused<Reason extends string>(reason: Reason, text: string): Refused<Reason> {
  return { ok: false, reason, text }
}

export const WRONG = refused('wrong', 'wrong account or password')
export const BUSY = refused('later', 'too many people are logging in right now: try again in a few seconds')
export const UNAVAILABLE = refused('later', 'accounts are temporarily unavailable: try again in a while')

/** `isForAll`: guesses from other places count too, so its owner may be told to wait for what others did. */
export function tooOften({ ms, isForAll = false }: { ms: number; isForAll?: boolean }): Refused<'later'> {
  const seconds = Math.ceil(ms / 1000)
  const time = seconds <= 120 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`
  const way = isForAll ? ', or use a token or a certificate' : ''
  return refused('later', `too many attempts: try again in ${time}${way}`)
}
