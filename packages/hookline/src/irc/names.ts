// Nicks, channels and masks: what is valid, and which two are the same.
import { foldPrecis, isPrecisNick } from './precis.ts'
import { byteLength } from './split.ts'

declare const key: unique symbol
/** A nick folded for lookup. */
export type NickKey = string & { readonly [key]: 'nick' }
/** A channel's name folded for lookup. */
export type ChannelKey = string & { readonly [key]: 'channel' }
/** An account's name folded for lookup. */
export type AccountKey = string & { readonly [key]: 'account' }

/** As announced to clients in CASEMAPPING. */
export type Casemapping = 'ascii' | 'rfc8265'

let casemapping: Casemapping = 'ascii'

/** One per process, chosen before the first name is folded: what was folded before would not be found again. */
export function useCasemapping(chosen: Casemapping): void {
  casemapping = chosen
}

export function currentCasemapping(): Casemapping {
  return casemapping
}

/** `ascii`: only A-Z fold. Never by locale or Unicode, or `İ` and U+212A (Kelvin) would match other letters. */
export function fold(text: string): string {
  if (casemapping !== 'ascii' && NOT_ASCII.test(text)) return foldPrecis(text)
  return CAPITAL.test(text) ? text.replace(CAPITALS, (letters) => letters.toLowerCase()) : text
}

const NOT_ASCII = /[^\0-\x7f]/
const CAPITAL = /[A-Z]/
const CAPITALS = /[A-Z]+/g

export function nickKey(nick: string): NickKey {
  return fold(nick) as NickKey
}

export function channelKey(name: string): ChannelKey {
  return fold(name) as ChannelKey
}

export function accountKey(name: string): AccountKey {
  return fold(name) as AccountKey
}

/** RFC 2812 2.3.1: letters, digits, `[]\^_{|}` and backtick, `-`; no digit or hyphen first. `length` is NICKLEN. */
export function isNick(text: string, length: number): boolean {
  if (casemapping !== 'ascii' && NOT_ASCII.test(text)) return isPrecisNick(text, length)
  return text.length <= length && /^[A-Za-z[\]\\`_^{|}][A-Za-z0-9[\]\\`_^{|}-]*$/.test(text)
}

/** A bot's nick may begin with a digit, as its name may; it has a length limit of its own. */
export function isBotNick(text: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/.test(text)
}

/** Whether it names a channel rather than a nick; whether such a channel can exist is another question. */
export function isChannelName(text: string): boolean {
  return text.startsWith('#')
}

/** In bytes: the most that a server can allow. */
export const LONGEST_CHANNEL = 128

/**
 * RFC 2812 1.3, without spaces and invisible characters of any kind: they only serve to imitate another channel. Joiners and the sign
 * for a colourful form are needed in some scripts and in emoji, and may stand where there is no ASCII.
 */
export const CHANNEL_NAME =
  /^#(?:[^,\p{Z}\p{Cc}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\u2800]|(?<=[^\0-\x7f])(?:[\u200c\u200d](?=[^\0-\x7f])|\ufe0f))+$/u

/** `length` is CHANNELLEN, in bytes. */
export function isValidChannelName(text: string, length: number): boolean {
  return CHANNEL_NAME.test(text) && byteLength(text) <= length
}

export interface Userhost {
  readonly nick: string
  readonly user?: string
  readonly host?: string
}

/** Splits `nick!user@host`; user and host may be absent. */
export function splitUserhost(source: string): Userhost {
  const at = source.indexOf('@')
  const host = at === -1 ? undefined : source.slice(at + 1)
  const rest = at === -1 ? source : source.slice(0, at)
  const bang = rest.indexOf('!')
  const user = bang === -1 ? undefined : rest.slice(bang + 1)
  return {
    nick: bang === -1 ? rest : rest.slice(0, bang),
    ...(user === undefined ? {} : { user }),
    ...(host === undefined ? {} : { host }),
  }
}

/** The full mask that people mean: `bob` is `bob!*@*`, `@host` is `*!*@host`. */
export function completeMask(mask: string): string {
  const at = mask.indexOf('@')
  const bang = mask.indexOf('!')
  if (bang === -1 && at === -1) return `${mask}!*@*`
  const whole = bang === -1 ? `!${mask}` : at === -1 ? `${mask}@` : mask
  // No part is ever empty, so an empty one means any.
  return whole.replace(/^(?=[!@])|(?<=!)(?=@)|(?<=@)$/g, '*')
}

/** Matches `*` and `?` masks in time proportional to mask × text at worst; both must be folded. `?` is one code point. */
export function matchesMask(mask: string, text: string): boolean {
  let m = 0
  let t = 0
  let star = -1
  let resume = 0
  while (t < text.length) {
    if (mask[m] === '*') {
      star = m++
      resume = t
    } else if (mask[m] === '?') {
      m++
      t += isPair(text, t) ? 2 : 1
    } else if (m < mask.length && mask[m] === text[t]) {
      m++
      t++
    } else if (star !== -1) {
      m = star + 1
      t = ++resume
    } else return false
  }
  while (mask[m] === '*') m++
  return m === mask.length
}

/** Whether the character there is two units of UTF-16, such as an emoji. */
function isPair(text: string, at: number): boolean {
  return (text.codePointAt(at) ?? 0) > 0xffff
}

/** Whether the text has `*` or `?`, and so may match many. */
export function isMask(text: string): boolean {
  return /[*?]/.test(text)
}

/** In bytes: longer than any channel, nick or account. */
export const TARGET_BYTES = 200
