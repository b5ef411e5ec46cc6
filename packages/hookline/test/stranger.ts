// Somebody who sends lines that no client would, and what they are answered.
import assert from 'node:assert/strict'
import { isUtf8 } from 'node:buffer'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { format, parse } from '../src/irc/message.ts'

/** A connection that returns with the same nick whenever it is thrown out. */
export class Stranger {
  readonly #port: number
  readonly #nick: string
  readonly #heard: Buffer[] = []
  #socket: Socket

  constructor(port: number, nick: string) {
    this.#port = port
    this.#nick = nick
    this.#socket = this.#come()
  }

  #come(): Socket {
    const socket = connect({ port: this.#port, host: '127.0.0.1' })
    socket.on('data', (chunk) => this.#heard.push(chunk))
    socket.on('error', () => {
      // `close` follows.
    })
    socket.write(`NICK ${this.#nick}\r\nUSER ${this.#nick} 0 * :e\r\nJOIN #tea\r\n`)
    return socket
  }

  async send(bytes: Buffer, next: (below: number) => number): Promise<void> {
    if (this.#socket.readyState !== 'open' && this.#socket.readyState !== 'opening')
      this.#socket = this.#come()
    for (let from = 0; from < bytes.length;) {
      const to = from + 1 + next(3_000)
      if (!this.#socket.write(bytes.subarray(from, to)) && !this.#socket.destroyed)
        await Promise.race([once(this.#socket, 'drain'), once(this.#socket, 'close')])
      from = to
    }
  }

  /** Everything received, on all connections. */
  async leave(): Promise<Buffer> {
    if (!this.#socket.destroyed) {
      this.#socket.end()
      await once(this.#socket, 'close')
    }
    return Buffer.concat(this.#heard)
  }
}

const COMMANDS =
  'ADMIN AWAY BATCH CAP HELP INFO INVITE ISON JOIN KICK KILL LINKS LIST LUSERS MODE MOTD NAMES NICK NOTICE OPER PART PASS PING PONG PRIVMSG REHASH SETNAME TAGMSG TIME TOPIC USER USERHOST VERSION WALLOPS WHO WHOIS WHOWAS QUIT BREW'.split(
    ' ',
  )
const WORDS =
  '#tea #TEA canary evil1 evil2 #a,#b,#tea @#tea +#tea * *!*@* +b +beI +ovqahk-l +imnstC -o +l 7 :a :two~words : :: :# :~ LS REQ LIST END :echo-message~batch~labeled-response :message-tags~draft/multiline~server-time +1 -1 draft/multiline %tcuihsnfdlaor,42 0 -1 m:evil 99999999999 \u00e9\u2615 \x01VERSION\x01 , ,, spark'
    .split(' ')
    .map((word) => word.replaceAll('~', ' '))

export function hostileLine(next: (below: number) => number): Buffer {
  const pick = <T>(from: readonly T[]): T => from[next(from.length)] as T
  const kind = next(100)
  if (kind < 4) return Buffer.from(Uint8Array.from({ length: next(60) }, () => next(256)))
  if (kind < 6) return Buffer.from(`${'x'.repeat(next(1_200))}\r\n`)
  const tags =
    next(5) === 0 ? `@label=${pick(WORDS).replaceAll(' ', '')};+x=${'t'.repeat(next(300))};batch=1 ` : ''
  // QUIT, one of the last two, ends the connection: they may be picked in one line of twenty only.
  const command = pick(COMMANDS.slice(0, next(20) === 0 ? undefined : -2))
  const params = Array.from({ length: next(6) }, () => (next(15) === 0 ? 'y'.repeat(next(480)) : pick(WORDS)))
  return Buffer.from(`${tags}${[command, ...params].join(' ')}${pick(['\r\n', '\n', '\r\r\n'])}`)
}

/** mulberry32: a stream of numbers reproducible from its seed. */
export function randomFrom(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below)
  }
}

/** Whole lines of UTF-8, 512 bytes beside their tags, that parse and are written in the shortest way. */
export function checkLines(bytes: Buffer): void {
  assert(isUtf8(bytes))
  const lines = bytes.toString('utf8').split('\r\n')
  assert.equal(lines.pop(), '', 'the last line has no end')
  assert(lines.length > 100)
  for (const line of lines) {
    const message = parse(line)
    assert(message !== undefined, line)
    assert.match(message.command, /^(?:[A-Z]+|\d{3})$/, line)
    assert(message.params.length <= 15, line)
    assert.equal(format(message), line)
    const body = message.tags.size === 0 ? line : line.slice(line.indexOf(' ') + 1)
    assert(Buffer.byteLength(body) <= 510, `${Buffer.byteLength(body)} bytes: ${line}`)
  }
}
