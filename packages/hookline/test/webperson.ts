// Somebody with a WebSocket, driven by a test. Node's own client, so that ours is not tested against itself.
import { once } from 'node:events'
import { Inbox } from './inbox.ts'

export class WebPerson extends Inbox implements Disposable {
  readonly #socket: WebSocket
  /** Of what arrived last. */
  kind: 'text' | 'binary' | undefined
  closedWith: number | undefined

  private constructor(socket: WebSocket) {
    super()
    this.#socket = socket
    socket.binaryType = 'arraybuffer'
    socket.addEventListener('message', ({ data }: { data: unknown }) => {
      this.kind = typeof data === 'string' ? 'text' : 'binary'
      this.receive(typeof data === 'string' ? data : new TextDecoder().decode(data as ArrayBuffer))
    })
    socket.addEventListener('error', () => {
      // `close` follows.
    })
    socket.addEventListener('close', ({ code }) => {
      this.closedWith = code
      this.close()
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

  [Symbol.dispose](): void {
    this.#socket.close()
  }
}
