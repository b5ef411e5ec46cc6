// Requests as they would be if somebody on the way, or without the secret, changed them.
import { prove } from '../src/webhooks/auth.ts'
import type { Bot } from '../src/bots/roster.ts'
import { secretFor, type SenderName, sign } from './sign.ts'

export const at = Date.UTC(2026, 3, 3, 9, 15)
export const body = `{"webhookTimestamp":${at},"say":"the kettle is on","n":[1,2,3]}`
const windows: Partial<Record<SenderName, number>> = {
  stripe: 300,
  slack: 300,
  standard: 300,
  svix: 300,
  'gitlab-signing': 300,
  linear: 60,
}

export interface Attempt {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly body: Uint8Array
  readonly now: number
}

export type Dice = (sides: number) => number

/** One change, of any kind that can happen on the way or be tried without the secret. */
export function change(name: SenderName, sent: Attempt, dice: Dice): Attempt {
  const header = pick(carriers(name, sent), dice)
  const value = String(sent.headers[header])
  const place = dice(value.length)
  const withHeader = (text: string | readonly string[] | undefined): Attempt => ({
    ...sent,
    headers: { ...sent.headers, [header]: text },
  })
  switch (dice(windows[name] === undefined ? 11 : 14)) {
    case 0:
      return { ...sent, body: flipped(sent.body, dice) }
    case 1:
      return { ...sent, body: sent.body.subarray(0, dice(sent.body.length)) }
    case 2:
      return { ...sent, body: Buffer.concat([sent.body, Buffer.from([dice(256)])]) }
    case 3:
      return withHeader(value.slice(0, place) + String.fromCharCode(dice(256)) + value.slice(place + 1))
    case 4:
      return withHeader(value.slice(0, place))
    case 5:
      return withHeader(value.slice(0, place) + String.fromCharCode(33 + dice(94)) + value.slice(place))
    case 6:
      return withHeader(
        pick([undefined, '', ' ', ',', value.slice(value.indexOf('=') + 1), `${value}=`], dice),
      )
    // Twice, as Node passes it on.
    case 7:
      return withHeader(pick([`${value}, ${value}`, [value], [value, value]], dice))
    case 8:
      return withHeader(
        value
          .split(/(?=[,= ])|(?<=[,= ])/)
          .toReversed()
          .join(''),
      )
    // Signed with what is another bot's, or was this one's.
    case 9: {
      const other = name === 'basic' ? 'hook:another-bot-has-it' : secretFor(name, 3 + dice(1_000))
      return { ...sign(name, { secret: other, body, id: 'msg_1', at }), now: at }
    }
    case 10:
      return withHeader(value.replace(/\d/, (digit) => String((Number(digit) + 1 + dice(9)) % 10)))
    // Too old by at least a second, or from the future.
    case 11:
      return { ...sent, now: at + (windows[name] ?? 0) * 1000 + 1_000 + dice(1e9) }
    case 12:
      return { ...sent, now: at - (windows[name] ?? 0) * 1000 - 1_000 - dice(1e9) }
    // An old request with a new time.
    default:
      return { ...resent(name, sent), now: at + 1_000_000 }
  }
}

/** The headers that authenticate together; the vendor does not sign the others. */
function carriers(name: SenderName, { headers }: Attempt): string[] {
  const unsigned =
    /^x-(github|gitea|forgejo)-delivery|idempotency|request-(?:id|uuid)|linear-delivery|^x-webhook-id|atlassian|^sentry-hook-timestamp/
  return Object.keys(headers).filter((header) => !unsigned.test(header) || name === 'standard')
}

/** Authenticates the sender, but not the content. */
const isPassword: ReadonlySet<SenderName> = new Set(['gitlab', 'token', 'basic'])

/**
 * What is no change: the letters of hex in the other case, `bearer` in another case or with further spaces, and in a
 * list of signatures whatever leaves the good one (and the one time) in it.
 */
export function meansTheSame(name: SenderName, sent: Attempt, attempt: Attempt): boolean {
  if (!isPassword.has(name) && !Buffer.from(sent.body).equals(attempt.body)) return false
  const window = (windows[name] ?? Infinity) * 1000
  if (Math.abs(attempt.now - at) > window) return false
  return carriers(name, sent).every((header) => {
    const before = sent.headers[header]
    const after = attempt.headers[header]
    if (typeof before !== 'string' || typeof after !== 'string') return before === after
    if (name === 'stripe') {
      const [time, good = ''] = before.split(',')
      const items = after.split(',')
      const times = items.filter((item) => item.startsWith('t='))
      return times.length === 1 && times[0] === time && items.some((item) => sameHex(good, item))
    }
    if (name === 'pagerduty' || name === 'circleci') {
      return after.split(',').some((item) => sameHex(before.split(',').at(-1) ?? '', item))
    }
    if (/^(webhook|svix)-signature$/.test(header)) return after.split(' ').includes(before)
    if (header === 'authorization') return normal(before) === normal(after)
    return /^(\w+=)?[0-9a-f]{64}$/.test(before) ? sameHex(before, after) : before === after
  })
}

function sameHex(before: string, after: string): boolean {
  const digits = before.length - 64
  return (
    before.slice(0, digits) === after.slice(0, digits) &&
    before.slice(digits) === after.slice(digits).toLowerCase()
  )
}

function normal(value: string): string {
  return value.replace(/^(bearer|basic) +/i, (word) => `${word.trim().toLowerCase()} `)
}

function resent(name: SenderName, sent: Attempt): Attempt {
  const fresh = String(Math.floor((at + 1_000_000) / 1000))
  const old = String(Math.floor(at / 1000))
  const headers = Object.fromEntries(
    Object.entries(sent.headers).map(([key, value]) => [key, String(value).replace(old, fresh)]),
  )
  const text = Buffer.from(sent.body).toString()
  return name === 'linear'
    ? { ...sent, body: Buffer.from(text.replace(String(at), String(at + 1_000_000))) }
    : { ...sent, headers }
}

function flipped(bytes: Uint8Array, dice: Dice): Uint8Array {
  const changed = Uint8Array.from(bytes)
  const bit = dice(changed.length * 8)
  changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7))
  return changed
}

function pick<T>(from: readonly T[], dice: Dice): T {
  return from[dice(from.length)] as T
}

export function proofOf(bot: Bot, { headers, body: bytes, now }: Attempt): string {
  return prove(bot, headers, bytes, now).kind
}

/** mulberry32: the same numbers in every run. */
export function diceFrom(seed: number): Dice {
  let state = seed
  return (sides) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * sides)
  }
}
