// One real connection of a fuzzed server, and what its client remembers to type later.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { Eye } from './eye.ts'

export class Guest {
  readonly socket: Socket
  readonly eye = new Eye('spark')
  /** What a service last asked for as a confirmation: a line to type, as latin1. */
  confirmation: string | undefined
  /** The last token that it was given. */
  token: string | undefined
  /** Target and msgid of the last message that it heard, as REDACT takes them. */
  message: string | undefined
  #failure: Error | undefined
  #pongs = 0
  /** The beginning of a line, as latin1. */
  #rest = ''
  #isSettled: (() => void) | undefined

  private constructor(socket: Socket) {
    this.socket = socket
    socket.on('data', (bytes: Buffer) => this.#read(bytes))
    socket.on('error', () => {
      // `close` follows.
    })
    socket.on('close', () => this.#isSettled?.())
  }

  static async connect(port: number, greeting: readonly string[]): Promise<Guest> {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    await once(socket, 'connect')
    const guest = new Guest(socket)
    guest.send(Buffer.from(greeting.map((line) => `${line}\r\n`).join('')))
    return guest
  }

  get isOpen(): boolean {
    return this.socket.writable && !this.socket.destroyed
  }

  send(bytes: Buffer): void {
    if (this.isOpen) this.socket.write(bytes)
  }

  /** Until everything sent is processed, or the server has hung up. Before registration a PING is answered as well. */
  async settle(): Promise<void> {
    this.check()
    if (!this.isOpen) return
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#isSettled = resolve
    // The line end completes whatever may be unfinished before it.
    this.socket.write(`\r\nPING settled-${++this.#pongs}\r\n`)
    await promise
  }

  async leave(): Promise<void> {
    await this.settle()
    if (!this.socket.closed) {
      const closed = once(this.socket, 'close')
      this.send(Buffer.from('\r\nQUIT\r\n'))
      this.socket.resume()
      await closed
    }
  }

  check(): void {
    if (this.#failure !== undefined) throw this.#failure
  }

  #read(bytes: Buffer): void {
    try {
      this.eye.read(bytes)
    } catch (error) {
      this.#failure ??= error as Error
      this.socket.destroy()
    }
    const lines = (this.#rest + bytes.toString('latin1')).split('\r\n')
    this.#rest = lines.pop() ?? ''
    for (const line of lines) this.#note(line)
  }

  #note(line: string): void {
    if (line.endsWith(` settled-${this.#pongs}`)) this.#isSettled?.()
    const [, service, words] = / NOTICE \S+ :.*To confirm: \/msg (\S+) (.*)$/.exec(line) ?? []
    if (words !== undefined) this.confirmation = `PRIVMSG ${service} :${words}`
    const [, token] = /^\S+ NOTICE \S+ :\S+: (hlt_\S+)$/.exec(line.replace(/^@\S+ /, '')) ?? []
    if (token !== undefined) this.token = token
    const [, id, command, target] =
      /^@(?:\S*;)?msgid=([^; ]+)\S* :\S+ (PRIVMSG|NOTICE) (\S+) /.exec(line) ?? []
    if (command !== undefined) this.message = `${target} ${id}`
  }
}
