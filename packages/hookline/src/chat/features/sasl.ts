// AUTHENTICATE: logging in, before or after registration. The accounts handle what is exchanged.
// https://ircv3.net/specs/extensions/sasl-3.1, https://ircv3.net/specs/extensions/sasl-3.2
import * as numerics from '../../irc/numerics.ts'
import type { Exchange, Mechanism, Step, Verdict } from '../accounts.ts'
import type { Command, Turn } from '../command.ts'
import { CLOSE_OTHERS, refusesLogin } from '../rules/account.ts'
import type { Session } from '../session.ts'
import { Slot } from '../slot.ts'
import { clientOf, logIn } from './login.ts'

/** An exchange in progress. */
interface OpenSasl {
  readonly exchange: Exchange
  /** Chunks of an unfinished message, in base64. */
  text: string
}

const begun = new Slot<Session, OpenSasl>()

export const AUTHENTICATE: Command<Step | undefined> = {
  name: 'AUTHENTICATE',
  minParams: 1,
  when: 'always',
  help: 'AUTHENTICATE <mechanism> | <base64> | + | *: logs in to an account',
  prepare({ session }, { params: [chunk = ''] }) {
    const sasl = begun.of(session)
    if (sasl === undefined || !isEnd(chunk)) return undefined
    const message = decode(sasl.text + (chunk === '+' ? '' : chunk))
    return message && sasl.exchange.step(message)
  },
  run(turn, { params: [chunk = ''] }, step) {
    if (chunk === '*') return abort(turn)
    const sasl = begun.of(turn.session)
    if (sasl === undefined) return begin(turn, chunk.toUpperCase())
    if (step !== undefined) return answer(turn, step)
    if (chunk.length > CHUNK) return fail(turn, numerics.ERR_SASLTOOLONG)
    if (isEnd(chunk) || !BASE64_PART.test(chunk))
      return fail(turn, numerics.ERR_SASLFAIL, 'the response is not valid base64')
    sasl.text += chunk
    if (sasl.text.length > LONGEST) fail(turn, numerics.ERR_SASLFAIL, 'the response is too long')
  },
}

/** A client that registers meanwhile registers without it. */
export function abandonSasl(turn: Turn): void {
  if (begun.of(turn.session) !== undefined) abort(turn)
}

function begin(turn: Turn, name: string): void {
  const { chat, session, reply } = turn
  const mechanism = mechanismsFor(turn).find((each) => each === name)
  if (mechanism === undefined) {
    reply(numerics.RPL_SASLMECHS, mechanismsFor(turn).join(',') || '*')
    const lacksCertificate = chat.settings.accounts.mechanisms.some((each) => each === name)
    const why = lacksCertificate ? 'this connection has no client certificate' : 'unknown mechanism'
    return reply(numerics.ERR_SASLFAIL, `${FAILED}: ${why}`)
  }
  begun.keep(session, { exchange: chat.world.accounts.exchange(mechanism, clientOf(session)), text: '' })
  say(turn, '+')
}

/** EXTERNAL only if the client presented a certificate. */
export function mechanismsFor({ chat, session }: Pick<Turn, 'chat' | 'session'>): readonly Mechanism[] {
  const { mechanisms } = chat.settings.accounts
  return session.certfp === undefined ? mechanisms.filter((each) => each !== 'EXTERNAL') : mechanisms
}

function answer(turn: Turn, step: Step): void {
  if (step.kind === 'challenge') {
    const sasl = begun.of(turn.session)
    if (sasl !== undefined) sasl.text = ''
    return challenge(turn, step.bytes)
  }
  begun.drop(turn.session)
  settle(turn, step.verdict)
}

function settle(turn: Turn, verdict: Verdict): void {
  if (verdict.ok) {
    if (refusesLogin(turn.user, verdict.account)) return turn.reply(numerics.ERR_SASLALREADY, CLOSE_OTHERS)
    logIn(turn, verdict)
    return turn.reply(numerics.RPL_SASLSUCCESS)
  }
  if (verdict.reason === 'suspended') return turn.reply(numerics.ERR_NICKLOCKED, capital(verdict.text))
  turn.reply(numerics.ERR_SASLFAIL, `${FAILED}: ${verdict.text}`)
}

function fail(turn: Turn, numeric: numerics.Numeric, why?: string): void {
  begun.drop(turn.session)
  if (why === undefined) turn.reply(numeric)
  else turn.reply(numeric, `${FAILED}: ${why}`)
}

function abort(turn: Turn): void {
  begun.drop(turn.session)
  turn.reply(numerics.ERR_SASLABORTED)
}

const FAILED = 'SASL authentication failed'

// 3.1: base64 in chunks of 400 bytes; a shorter one is the last, `+` an empty one.
const CHUNK = 400
/** Four chunks: enough for three times 300 bytes. More than that fails. */
const LONGEST = 4 * CHUNK

const BASE64_PART = /^[A-Za-z0-9+/]+={0,2}$/
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

function isEnd(chunk: string): boolean {
  return chunk !== '*' && chunk.length < CHUNK
}

function decode(text: string): Uint8Array | undefined {
  return BASE64.test(text) && text.length <= LONGEST ? Buffer.from(text, 'base64') : undefined
}

function challenge(turn: Turn, bytes: Uint8Array): void {
  const text = Buffer.from(bytes).toString('base64')
  for (let at = 0; at < text.length; at += CHUNK) say(turn, text.slice(at, at + CHUNK))
  if (text.length % CHUNK === 0) say(turn, '+')
}

function say({ chat, session }: Pick<Turn, 'chat' | 'session'>, text: string): void {
  session.send(chat.line({ command: 'AUTHENTICATE', params: [text] }))
}

/** For the reason that an account was refused with. */
export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
