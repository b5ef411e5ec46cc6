// Connections of the HTTP door. Whoever holds one without sending a whole request must not keep others out.
import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'

/** Beyond the bound the one that has gone longest without a whole request is closed: the others come in at once. */
export class Connections {
  readonly #most: number
  /** Those that nothing is owed, the longest first. */
  readonly #waiting = new Set<Socket>()
  /** Those with requests that are whole and not answered, and how many: they are not closed for others. */
  readonly #working = new Map<Socket, number>()
  /** Those requests. */
  readonly #whole = new WeakSet<IncomingMessage>()

  constructor(server: Server, most: number) {
    this.#most = most
    server.on('connection', (socket) => this.#admit(socket))
  }

  isWorking(socket: Socket): boolean {
    return this.#working.has(socket)
  }

  /** It is whole. */
  work(request: IncomingMessage): void {
    const { socket } = request
    const before = this.#working.get(socket) ?? 0
    // Closed meanwhile.
    if (before === 0 && !this.#waiting.delete(socket)) return
    this.#working.set(socket, before + 1)
    this.#whole.add(request)
  }

  /** It was answered, or refused before it was whole. */
  rest(request: IncomingMessage): void {
    const { socket } = request
    const left = (this.#working.get(socket) ?? 0) - (this.#whole.delete(request) ? 1 : 0)
    if (left > 0) return void this.#working.set(socket, left)
    const isOpen = this.#waiting.delete(socket) || this.#working.delete(socket)
    if (isOpen) this.#waiting.add(socket)
  }

  #admit(socket: Socket): void {
    this.#waiting.add(socket)
    socket.once('close', () => {
      this.#waiting.delete(socket)
      this.#working.delete(socket)
    })
    if (this.#waiting.size + this.#working.size <= this.#most) return
    // Where all the others are being answered it is the new one.
    const [longest] = this.#waiting
    longest?.destroy()
  }
}
