// Connections of the HTTP listener. One that never sends a whole request must neither keep others out nor use up the
// memory.
import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'

export interface Bounds {
  /** Connections at once. */
  readonly connections: number
  /** Total bytes of all incomplete bodies. */
  readonly unfinishedBytes: number
}

/** The state of one connection. */
interface Held {
  /** Complete requests that are not answered yet: the connection is not closed to make room. */
  readonly owed: IncomingMessage[]
  /** The request whose body is incomplete, if any, with the bytes so far; `began` is the order in which bodies began. */
  unfinished: { readonly request: IncomingMessage; readonly began: number; bytes: number } | undefined
  /** What came after its complete requests is not HTTP: it ends once they are answered. */
  isBroken: boolean
}

/**
 * Beyond a bound, the connection that has gone longest without a whole request, or whose body began first, is closed to
 * make room.
 */
export class Connections {
  readonly #bounds: Bounds
  /** A connection moves to the end when its last request is answered. */
  readonly #held = new Map<Socket, Held>()
  #unfinishedBytes = 0
  #begun = 0

  constructor(server: Server, bounds: Bounds) {
    this.#bounds = bounds
    server.on('connection', (socket) => this.#admit(socket))
  }

  /** To be ended once what it is owed is answered. False if it is owed nothing. */
  endAnswered(socket: Socket): boolean {
    const held = this.#held.get(socket)
    if (held === undefined || !isOwed(held)) return false
    held.isBroken = true
    return true
  }

  /** More of a request's body has arrived. */
  grow(request: IncomingMessage, bytes: number): void {
    const held = this.#held.get(request.socket)
    if (!held) return
    if (held.unfinished?.request !== request) {
      this.#finish(held)
      held.unfinished = { request, began: this.#begun++, bytes: 0 }
    }
    held.unfinished.bytes += bytes
    this.#unfinishedBytes += bytes
    if (this.#unfinishedBytes > this.#bounds.unfinishedBytes) this.#cutOff()
  }

  /** The request is complete. */
  work(request: IncomingMessage): void {
    const held = this.#held.get(request.socket)
    if (!held) return
    this.#finish(held, request)
    held.owed.push(request)
  }

  /** The request was answered, or refused before it was complete. True if the connection is to end after this answer. */
  rest(request: IncomingMessage): boolean {
    const { socket } = request
    const held = this.#held.get(socket)
    if (!held) return false
    this.#finish(held, request)
    const place = held.owed.indexOf(request)
    if (place !== -1) held.owed.splice(place, 1)
    if (isOwed(held)) return false
    this.#held.delete(socket)
    this.#held.set(socket, held)
    return held.isBroken
  }

  /** Closes connections that have sent nothing yet. When closing, Node waits for them as for a request that has begun. */
  endSilent(): void {
    for (const socket of this.#held.keys()) if (socket.bytesRead === 0) this.#close(socket)
  }

  #admit(socket: Socket): void {
    this.#held.set(socket, { owed: [], unfinished: undefined, isBroken: false })
    socket.once('close', () => this.#leave(socket))
    if (this.#held.size <= this.#bounds.connections) return
    // If all others are being answered, this is the new one.
    const longest = this.#held.entries().find(([, held]) => !isOwed(held))
    if (longest) this.#close(longest[0])
  }

  #cutOff(): void {
    let first: { readonly socket: Socket; readonly began: number } | undefined
    for (const [socket, held] of this.#held) {
      const began = isOwed(held) ? undefined : held.unfinished?.began
      if (began !== undefined && (!first || began < first.began)) first = { socket, began }
    }
    if (first) this.#close(first.socket)
  }

  #close(socket: Socket): void {
    this.#leave(socket)
    socket.destroy()
  }

  #leave(socket: Socket): void {
    const held = this.#held.get(socket)
    if (!held) return
    this.#finish(held)
    this.#held.delete(socket)
  }

  /** With `request` only if the body is its own: the body of the next request may have begun. */
  #finish(held: Held, request = held.unfinished?.request): void {
    if (held.unfinished?.request !== request) return
    this.#unfinishedBytes -= held.unfinished?.bytes ?? 0
    held.unfinished = undefined
  }
}

function isOwed({ owed }: Held): boolean {
  return owed.length > 0
}
