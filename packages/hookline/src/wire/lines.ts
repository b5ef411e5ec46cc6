// The TCP and TLS door: lines that end in CRLF, one after the other.
import type { Socket } from 'node:net'
import { LineDecoder } from './decoder.ts'
import { descriptorOf, writeDirect } from './direct.ts'
import type { Gate, Stay } from './gate.ts'
import { LINGER_MS, type Peer, type PeerWire, type Receive } from './peer.ts'

/** `first` are bytes that were read on the way here. */
export function admitLines(
  socket: Socket,
  peer: Peer,
  { first, gate, receive }: { first: Buffer; gate: Gate; receive: Receive },
): void {
  const stay = gate.admit(peer.address)
  if (typeof stay === 'string') return refuseLines(socket, stay)

  const visitor = receive(new LineWire(socket, stay), peer)
  const decoder = new LineDecoder()
  const read = (chunk: Buffer): void => {
    const lines = decoder.push(chunk)
    if (lines.length > 0) visitor.lines(lines)
  }
  socket.on('data', read)
  socket.on('close', (hadError) => {
    stay.leave()
    visitor.gone(hadError ? 'Connection error' : 'Connection closed')
  })
  if (first.length > 0) read(first)
}

export function refuseLines(socket: Socket, reason: string): void {
  socket.end(`ERROR :${reason}\r\n`)
  socket.resume()
}

/**
 * A class, for an object with a function of its own for each method takes half a kilobyte; and one with a getter has a shape of its
 * own, so that among a thousand every write looks up its own.
 */
class LineWire implements PeerWire {
  readonly #socket: Socket
  /** Asked for once: to ask at each write took a twentieth of its time. */
  readonly #descriptor: number
  readonly #stay: Stay

  constructor(socket: Socket, stay: Stay) {
    this.#socket = socket
    this.#descriptor = descriptorOf(socket)
    this.#stay = stay
  }

  get waiting(): number {
    return this.#socket.writableLength
  }

  write(bytes: Uint8Array): void {
    writeDirect(this.#socket, this.#descriptor, bytes)
  }

  end(): void {
    const socket = this.#socket
    socket.end()
    socket.resume()
    const late = setTimeout(() => socket.destroy(), LINGER_MS)
    late.unref()
    socket.once('close', () => clearTimeout(late))
  }

  pause(): void {
    this.#socket.pause()
  }

  resume(): void {
    this.#socket.resume()
  }

  move(address: string): string | undefined {
    return this.#stay.move(address)
  }
}
