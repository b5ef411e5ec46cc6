// Connections of the HTTP door. Whoever holds one without sending a whole request must not keep others out.
import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/** Beyond the bound the one that has gone longest without a whole request is closed: the others come in at once. */
export class Connections {
  readonly #most: number
  /** Those that nothing is owed, the longest first. */
  readonly #waiting = new Set<Socket>()
  /** Those whose request is whole and not answered: they are not closed for others. */
  readonly #working = new Set<Socket>()

  constructor(server: Server, most: number) {
    this.#most = most
    server.on('connection', (socket) => this.#admit(socket))
  }

  isWorking(socket: Socket): boolean {
    return this.#working.has(socket)
  }

  /** Its request is whole. */
  work(socket: Socket): void {
    if (this.#waiting.delete(socket)) this.#working.add(socket)
  }

  /** It was answered. */
  rest(socket: Socket): void {
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
