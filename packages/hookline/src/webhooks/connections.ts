// Connections of the HTTP door. Whoever holds one without sending a whole request must not keep others out, nor take all memory.
import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'

export interface Bounds {
  /** Connections at once. */
  readonly connections: number
  /** Bytes of all bodies together that are not whole yet. */
  readonly unfinishedBytes: number
}

/** Beyond a bound the one that has gone longest without a whole request, or whose body began first, is closed: the others come in at once. */
export class Connections {
  readonly #bounds: Bounds
  /** Those that nothing is owed, the longest first. */
  readonly #waiting = new Set<Socket>()
  /** Those with requests that are whole and not answered, and how many: they are not closed for others. */
  readonly #working = new Map<Socket, number>()
  /** Those requests. */
  readonly #whole = new WeakSet<IncomingMessage>()
  /** How much has come of each body that is not whole. Those that began first come first. */
  readonly #unfinished = new Map<IncomingMessage, number>()
  #unfinishedBytes = 0

  constructor(server: Server, bounds: Bounds) {
    this.#bounds = bounds
    server.on('connection', (socket) => this.#admit(socket))
  }

  isWorking(socket: Socket): boolean {
    return this.#working.has(socket)
  }

  /** So much more of its body has come. */
  grow(request: IncomingMessage, bytes: number): void {
    this.#unfinished.set(request, (this.#unfinished.get(request) ?? 0) + bytes)
    this.#unfinishedBytes += bytes
    if (this.#unfinishedBytes <= this.#bounds.unfinishedBytes) return
    const first = this.#unfinished.keys().find(({ socket }) => !this.isWorking(socket))
    if (first === undefined) return
    this.#finish(first)
    first.socket.destroy()
  }

  #finish(request: IncomingMessage): void {
    this.#unfinishedBytes -= this.#unfinished.get(request) ?? 0
    this.#unfinished.delete(request)
  }

  /** It is whole. */
  work(request: IncomingMessage): void {
    const { socket } = request
    this.#finish(request)
    const before = this.#working.get(socket) ?? 0
    // Closed meanwhile.
    if (before === 0 && !this.#waiting.delete(socket)) return
    this.#working.set(socket, before + 1)
    this.#whole.add(request)
  }

  /** It was answered, or refused before it was whole. */
  rest(request: IncomingMessage): void {
    const { socket } = request
    this.#finish(request)
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
    if (this.#waiting.size + this.#working.size <= this.#bounds.connections) return
    // Where all the others are being answered it is the new one.
    const [longest] = this.#waiting
    longest?.destroy()
  }
}
