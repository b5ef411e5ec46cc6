// What lies between a client and the server, and may be pulled out and put in again.
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

export class Cable implements AsyncDisposable {
  readonly port: number
  readonly #to: number
  readonly #server: Server
  readonly #ends = new Set<Socket>()
  /** Clients that called while the cable was out. */
  #held: Socket[] | undefined

  private constructor(server: Server, to: number) {
    this.#server = server
    this.#to = to
    this.port = (server.address() as AddressInfo).port
    server.on('connection', (socket: Socket) => this.#answer(socket))
  }

  static async lay(to: number): Promise<Cable> {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    return new Cable(server, to)
  }

  /** Every connection breaks, on both sides. Who connects from now on waits. */
  pull(): void {
    this.#held = []
    for (const end of this.#ends) end.destroy()
  }

  putBack(): void {
    const held = this.#held ?? []
    this.#held = undefined
    for (const socket of held) this.#answer(socket)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const end of this.#ends) end.destroy()
    this.#server.close()
    await once(this.#server, 'close')
  }

  #answer(socket: Socket): void {
    this.#keep(socket)
    if (this.#held) {
      this.#held.push(socket)
      return
    }
    const inner = connect(this.#to, '127.0.0.1')
    this.#keep(inner)
    socket.pipe(inner).pipe(socket)
    // A broken end breaks the other.
    socket.on('close', () => inner.destroy())
    inner.on('close', () => socket.destroy())
  }

  #keep(end: Socket): void {
    this.#ends.add(end)
    end.on('error', () => {
      // `close` follows.
    })
    end.on('close', () => this.#ends.delete(end))
  }
}
