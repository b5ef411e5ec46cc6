// Somebody with a connection, driven by a test: types lines, reads lines, and never waits longer than necessary.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'

/** Nothing takes longer, even on a slow machine; a test waiting for something that never comes ends here. */
const DEADLINE_MS = 120_000

export class Person implements Disposable {
  readonly socket: Socket
  readonly #unread: string[] = []
  #rest = ''
  #waiting: ((line: string | undefined) => void) | undefined
  #isClosed = false
  #pings = 0

  private constructor(socket: Socket) {
    this.socket = socket
    socket.setEncoding('utf8')
    socket.on('data', (text: string) => this.#receive(text))
    socket.on('error', () => {
      // `close` follows.
    })
    socket.on('close', () => {
      this.#isClosed = true
      this.#waiting?.(undefined)
    })
  }

  static async connect(port: number, options: { tls?: boolean } = {}): Promise<Person> {
    const socket = options.tls
      ? connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false })
      : connect({ port, host: '127.0.0.1', noDelay: true })
    await once(socket, options.tls ? 'secureConnect' : 'connect')
    return new Person(socket)
  }

  /** Over an existing connection. */
  static on(socket: Socket): Person {
    return new Person(socket)
  }

  /** Connects and registers; reads everything up to the end of the welcome. */
  static async join(
    port: number,
    nick: string,
    options: { caps?: string; tls?: boolean } = {},
  ): Promise<Person> {
    const person = await Person.connect(port, options)
    if (options.caps !== undefined) person.type('CAP LS 302', `CAP REQ :${options.caps}`)
    person.type(`NICK ${nick}`, `USER ${nick} 0 * :${nick}`)
    if (options.caps !== undefined) person.type('CAP END')
    await person.until(/ (376|422) /)
    await person.settle()
    return person
  }

  type(...lines: string[]): void {
    this.socket.write(lines.map((line) => `${line}\r\n`).join(''))
  }

  /** The next line, or undefined when the server has hung up. */
  async next(): Promise<string | undefined> {
    const line = this.#unread.shift()
    if (line !== undefined) return line
    if (this.#isClosed) return undefined
    const { promise, resolve, reject } = Promise.withResolvers<string | undefined>()
    const late = setTimeout(() => reject(new Error(`nothing arrived within ${DEADLINE_MS} ms`)), DEADLINE_MS)
    this.#waiting = (each) => {
      this.#waiting = undefined
      clearTimeout(late)
      resolve(each)
    }
    return promise
  }

  /** Reads up to a matching line, and returns it; earlier lines are dropped. */
  async until(pattern: RegExp): Promise<string> {
    for (;;) {
      const line = await this.next()
      if (line === undefined) throw new Error(`the server hung up before ${String(pattern)}`)
      if (pattern.test(line)) return line
    }
  }

  /** Reads up to the answer to a PING of ours: everything typed before has been processed. Returns what came, now read. */
  async settle(): Promise<string[]> {
    const token = `settled-${++this.#pings}`
    this.type(`PING ${token}`)
    const lines: string[] = []
    for (;;) {
      const line = await this.next()
      if (line === undefined) return lines
      if (line.endsWith(` ${token}`)) return lines
      lines.push(line)
    }
  }

  /** To be read again before anything newer. */
  putBack(lines: readonly string[]): void {
    this.#unread.unshift(...lines)
  }

  /** Resolves with everything left to read once the server has hung up. */
  async gone(): Promise<string[]> {
    const lines: string[] = []
    for (let line = await this.next(); line !== undefined; line = await this.next()) lines.push(line)
    return lines
  }

  [Symbol.dispose](): void {
    this.socket.destroy()
  }

  #receive(text: string): void {
    const lines = (this.#rest + text).split('\r\n')
    this.#rest = lines.pop() ?? ''
    for (const line of lines) {
      if (this.#waiting === undefined) this.#unread.push(line)
      else this.#waiting(line)
    }
  }
}
