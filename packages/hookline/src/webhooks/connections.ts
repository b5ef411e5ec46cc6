// Connections of the HTTP door. Whoever holds one without sending a whole request must not keep others out, nor take all memory.
import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'

export interface Bounds {
  /** Connections at once. */
  readonly connections: number
  /** Bytes of all bodies together that are not whole yet. */
  readonly unfinishedBytes: number
}

/** What a connection is about. */
interface Held {
  /** Requests that are whole and not answered: it is not closed for others. */
  readonly owed: IncomingMessage[]
  /** The one whose body is not whole, if there is one: how much of it has come, and how many bodies began before it. */
  unfinished: { readonly request: IncomingMessage; readonly began: number; bytes: number } | undefined
}

/** Beyond a bound the one that has gone longest without a whole request, or whose body began first, is closed: the others come in at once. */
export class Connections {
  readonly #bounds: Bounds
  /** Whoever nothing is owed any more comes last. */
  readonly #held = new Map<Socket, Held>()
  #unfinishedBytes = 0
  #begun = 0

  constructor(server: Server, bounds: Bounds) {
    this.#bounds = bounds
    server.on('connection', (socket) => this.#admit(socket))
  }

  isWorking(socket: Socket): boolean {
    const held = this.#held.get(socket)
    return held !== undefined && isOwed(held)
  }

  /** So much more of its body has come. */
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

  /** It is whole. */
  work(request: IncomingMessage): void {
    const held = this.#held.get(request.socket)
    if (!held) return
    this.#finish(held, request)
    held.owed.push(request)
  }

  /** It was answered, or refused before it was whole. */
  rest(request: IncomingMessage): void {
    const { socket } = request
    const held = this.#held.get(socket)
    if (!held) return
    this.#finish(held, request)
    const place = held.owed.indexOf(request)
    if (place !== -1) held.owed.splice(place, 1)
    if (isOwed(held)) return
    this.#held.delete(socket)
    this.#held.set(socket, held)
  }

  /** Ends those that have sent nothing yet. Node waits for them at its end as for a request that has begun. */
  endSilent(): void {
    for (const socket of this.#held.keys()) if (socket.bytesRead === 0) this.#close(socket)
  }

  #admit(socket: Socket): void {
    this.#held.set(socket, { owed: [], unfinished: undefined })
    socket.once('close', () => this.#leave(socket))
    if (this.#held.size <= this.#bounds.connections) return
    // Where all the others are being answered it is the new one.
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

  /** With a request: its body alone, for behind it the next one's may have begun. */
  #finish(held: Held, request = held.unfinished?.request): void {
    if (held.unfinished?.request !== request) return
    this.#unfinishedBytes -= held.unfinished?.bytes ?? 0
    held.unfinished = undefined
  }
}

function isOwed({ owed }: Held): boolean {
  return owed.length > 0
}
