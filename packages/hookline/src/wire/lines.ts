// TCP and TLS: lines that end in CRLF.
import type { Socket } from 'node:net'
import { LineDecoder } from './decoder.ts'
import { descriptorOf, writeDirect } from './direct.ts'
import type { Admission, Gate } from './gate.ts'
import {
  endSocket,
  turnAway,
  type Peer,
  type PeerWire,
  type Receive,
  type ConnectionHandler,
} from './peer.ts'

/** `first` holds bytes already read. */
export function admitLines(
  socket: Socket,
  peer: Peer,
  { first, gate, receive }: { first: Buffer; gate: Gate; receive: Receive },
): void {
  const admission = gate.admit(peer.address)
  if (typeof admission === 'string') return refuseLines(socket, admission, gate)

  const wire = new LineWire(socket, admission, (each) => receive(each, peer))
  const admitted = Object.assign(socket, { [WIRE]: wire })
  // A client that closes its sending side is still answered.
  admitted.allowHalfOpen = true
  admitted.on('data', read)
  // Node's own listener does nothing with allowHalfOpen; a list of two takes 100 bytes more than one.
  for (const nodes of admitted.listeners('end')) admitted.off('end', nodes as () => void)
  admitted.on('end', end)
  admitted.on('close', close)
  if (first.length > 0) wire.read(first)
}

export function refuseLines(socket: Socket, reason: string, gate: Gate): void {
  turnAway(socket, `ERROR :${reason}\r\n`, gate)
}

const WIRE = Symbol('wire')
type Admitted = Socket & { readonly [WIRE]: LineWire }

// Shared by all sockets: two functions of its own would cost each 170 bytes.
function read(this: Admitted, chunk: Buffer): void {
  this[WIRE].read(chunk)
}

function end(this: Admitted): void {
  this[WIRE].ended()
}

function close(this: Admitted, hadError: boolean): void {
  this[WIRE].close(hadError)
}

/**
 * A class: an object literal with closures as methods takes half a kilobyte, and V8 gives each one with a getter its own hidden
 * class, so that writes to a thousand of them miss the inline caches.
 */
class LineWire implements PeerWire {
  readonly #socket: Socket
  /** Looked up once: at each write it took a twentieth of the time. */
  readonly #descriptor: number
  readonly #admission: Admission
  readonly #decoder = new LineDecoder()
  readonly #handler: ConnectionHandler

  constructor(socket: Socket, admission: Admission, receive: (wire: PeerWire) => ConnectionHandler) {
    this.#socket = socket
    this.#descriptor = descriptorOf(socket)
    this.#admission = admission
    this.#handler = receive(this)
  }

  read(chunk: Buffer): void {
    const lines = this.#decoder.charge(chunk.length, this.#decoder.push(chunk))
    if (lines.length > 0) this.#handler.lines(lines)
  }

  /** The peer sends nothing more. While paused, not all that it sent has been handled. */
  ended(): void {
    if (!this.#socket.isPaused()) this.#handler.ended()
  }

  close(hadError: boolean): void {
    this.#admission.leave()
    this.#handler.gone(hadError ? 'Connection error' : 'Connection closed')
  }

  get waiting(): number {
    return this.#socket.writableLength
  }

  write(bytes: Uint8Array): void {
    writeDirect(this.#socket, this.#descriptor, bytes)
  }

  end(): void {
    endSocket(this.#socket)
  }

  cut(): void {
    this.#socket.destroy()
  }

  pause(): void {
    this.#socket.pause()
  }

  resume(): void {
    this.#socket.resume()
    if (this.#socket.readableEnded) this.#handler.ended()
  }

  move(address: string): string | undefined {
    return this.#admission.move(address)
  }
}
