// What is valid as an account, a password or an address, and how many of each are allowed.
import type { PlaceBits } from '../irc/address.ts'
import { isNick } from '../irc/names.ts'
import { cutText } from '../irc/split.ts'
import { type CreateRefusal, refused, type Refused } from './answers.ts'
import { saslPrep } from './saslprep.ts'
import { TOKEN_PREFIX } from './tokens.ts'

/** Set by the configuration. Replaced as a whole when the server reloads. */
export interface AccountRules {
  /** Which bits of an address count as one place. */
  readonly place: PlaceBits
  /** Binary logarithm of a password hash's memory in KiB. */
  readonly cost: number
  /** SCRAM is offered, so its keys are stored. */
  readonly keepsScram: boolean
  readonly nameLength: number
  readonly shortestPassword: number
  readonly needsEmail: boolean
  /** Failed logins per minute, for one account from one address. */
  readonly failuresPerAccount: number
  /** The same per hour from all addresses together that nobody has logged in to it from. */
  readonly failuresPerHour: number
  /** The same for all accounts together; loopback is exempt. */
  readonly failuresPerAddress: number
  /** New accounts per hour from one address; loopback is exempt. */
  readonly newPerHour: number
}

export interface NewAccount {
  readonly name: string
  /** Null: only tokens and certificates log in. */
  readonly password: string | null
  readonly email: string | null
}

/** Most per account. */
export const MOST_TOKENS = 50
export const MOST_CERTIFICATES = 20

/** Why such an account is not allowed; undefined when it is. */
export function refusesAccount(
  { name, password, email }: NewAccount,
  rules: AccountRules,
): Refused<CreateRefusal> | undefined {
  if (!isNick(name, rules.nameLength))
    return refused('name', `${JSON.stringify(cutText(name, 64))} is not a valid nick`)
  if (email !== null && !isAddress(email)) return refused('email', 'That is not a valid email address')
  return password === null ? undefined : refusesPassword(password, name, rules)
}

/** Of new ones, unless the settings say otherwise; older ones stay valid. */
export const SHORTEST_PASSWORD = 10

// 300 bytes fit in every line that carries a password.
// https://ircv3.net/specs/extensions/account-registration#server-considerations
const LONGEST_PASSWORD = 300

export function refusesPassword(
  password: string,
  account: string,
  { shortestPassword }: AccountRules,
): Refused<'weak' | 'password'> | undefined {
  const prepared = saslPrep(password)
  if (prepared === undefined || prepared === '')
    return refused('password', 'A password must not be empty or contain control characters')
  if (Buffer.byteLength(password) > LONGEST_PASSWORD)
    return refused('password', `A password can have at most ${LONGEST_PASSWORD} bytes`)
  // Only generated tokens have this prefix.
  if (password.startsWith(TOKEN_PREFIX))
    return refused('password', `A password must not begin with ${TOKEN_PREFIX}`)
  if (prepared.length < shortestPassword)
    return refused('weak', `A password must have at least ${shortestPassword} characters`)
  return prepared.toLowerCase() === account.toLowerCase()
    ? refused('weak', 'The password must not be the account name')
    : undefined
}

/** Something, `@`, and a host with a dot, all of it visible: only sending a mail would prove more. */
export function isAddress(text: string): boolean {
  return text.length <= 254 && /^[^\s\p{C}@,;:<>()[\]\\"]+@[^\s\p{C}@.]+(\.[^\s\p{C}@.]+)+$/u.test(text)
}

/** What a label may be: for refusals. */
export const LABEL_RULE =
  'at most 32 letters, digits, dots, hyphens and underscores, a letter or a digit first'

export function isLabel(text: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9._-]{0,31}$/.test(text)
}

/** SHA-256 in hex, with or without colons, in either case; undefined for anything else. */
export function fingerprintOf(text: string): string | undefined {
  const hex = text.replaceAll(':', '').toLowerCase()
  return /^[0-9a-f]{64}$/.test(hex) ? hex : undefined
}
