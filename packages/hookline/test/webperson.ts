// Somebody with a WebSocket, driven by a test. Node's own client, so that ours is not tested against itself.
import { once } from 'node:events'

const DEADLINE_MS = 120_000

export class WebPerson implements Disposable {
  readonly #socket: WebSocket
  readonly #unread: string[] = []
  #waiting: ((line: string | undefined) => void) | undefined
  #isClosed = false
  #pings = 0
  /** Of what arrived last. */
  kind: 'text' | 'binary' | undefined
  closedWith: number | undefined

  private constructor(socket: WebSocket) {
    this.#socket = socket
    socket.binaryType = 'arraybuffer'
    socket.addEventListener('message', ({ data }: { data: unknown }) => {
      this.kind = typeof data === 'string' ? 'text' : 'binary'
      this.#receive(typeof data === 'string' ? data : new TextDecoder().decode(data as ArrayBuffer))
    })
    socket.addEventListener('error', () => {
      // `close` follows.
    })
    socket.addEventListener('close', ({ code }) => {
      this.closedWith = code
      this.#isClosed = true
      this.#waiting?.(undefined)
    })
  }

  static async connect(url: string, protocols: readonly string[] = ['text.ircv3.net']): Promise<WebPerson> {
    const socket = new WebSocket(url, [...protocols])
    const person = new WebPerson(socket)
    await once(socket, 'open')
    return person
  }

  /** Connects and registers; reads everything up to the end of the welcome. */
  static async join(
    port: number,
    nick: string,
    { protocols = ['text.ircv3.net'] }: { protocols?: readonly string[] } = {},
  ): Promise<WebPerson> {
    const person = await WebPerson.connect(`ws://127.0.0.1:${port}/`, protocols)
    person.type(`NICK ${nick}`, `USER ${nick} 0 * :${nick}`)
    await person.settle()
    return person
  }

  get protocol(): string {
    return this.#socket.protocol
  }

  type(...lines: string[]): void {
    for (const line of lines)
      this.#socket.send(this.kind === 'binary' ? new TextEncoder().encode(line) : line)
  }

  send(bytes: Uint8Array<ArrayBuffer>): void {
    this.#socket.send(bytes)
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

  /** Reads up to the answer to a PING of ours. */
  async settle(): Promise<void> {
    const token = `settled-${++this.#pings}`
    this.type(`PING ${token}`)
    for (let line = await this.next(); line !== undefined; line = await this.next()) {
      if (line.endsWith(` ${token}`)) return
    }
  }

  async gone(): Promise<string[]> {
    const lines: string[] = []
    for (let line = await this.next(); line !== undefined; line = await this.next()) lines.push(line)
    return lines
  }

  [Symbol.dispose](): void {
    this.#socket.close()
  }

  #receive(line: string): void {
    if (this.#waiting === undefined) this.#unread.push(line)
    else this.#waiting(line)
  }
}
