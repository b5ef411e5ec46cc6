// Somebody with a connection, driven by a test: types lines, and reads lines.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { dialTls, type Tls } from './certificates.ts'
import { Inbox } from './inbox.ts'

export class Person extends Inbox implements Disposable {
  readonly socket: Socket
  #rest = ''

  private constructor(socket: Socket) {
    super()
    this.socket = socket
    socket.setEncoding('utf8')
    socket.on('data', (text: string) => this.#read(text))
    socket.on('error', () => {
      // `close` follows.
    })
    socket.on('close', () => this.close())
  }

  static async connect(port: number, { tls }: { tls?: Tls } = {}): Promise<Person> {
    if (tls) return new Person(await dialTls(port, tls))
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    await once(socket, 'connect')
    return new Person(socket)
  }

  /** Connects and registers, and goes into `channels`, such as `#tea,#pot`; all that is told of it has been read. */
  static async join(
    port: number,
    nick: string,
    options: { caps?: string; channels?: string; tls?: Tls } = {},
  ): Promise<Person> {
    const person = await Person.connect(port, options)
    if (options.caps !== undefined) person.type('CAP LS 302', `CAP REQ :${options.caps}`)
    person.type(`NICK ${nick}`, `USER ${nick} 0 * :${nick}`)
    if (options.caps !== undefined) person.type('CAP END')
    await person.until(/ (376|422) /)
    if (options.channels !== undefined) person.type(`JOIN ${options.channels}`)
    await person.settle()
    return person
  }

  type(...lines: string[]): void {
    this.socket.write(lines.map((line) => `${line}\r\n`).join(''))
  }

  [Symbol.dispose](): void {
    this.socket.destroy()
  }

  #read(text: string): void {
    const lines = (this.#rest + text).split('\r\n')
    this.#rest = lines.pop() ?? ''
    for (const line of lines) this.receive(line)
  }
}
