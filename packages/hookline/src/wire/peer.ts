// Who a connection is from, and its interface to the layers above. The same for every transport.
import type { Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import type { Incoming } from '../irc/message.ts'
import { plainAddress } from '../net/networks.ts'
import type { Gate } from './gate.ts'

export interface Peer {
  /** IPv4 in its own form, IPv6 in its shortest. */
  readonly address: string
  readonly isSecure: boolean
  /** SHA-256 of the client's certificate, in lower-case hex. Nobody vouches for it: it only proves possession of the key. */
  readonly certfp: string | undefined
  /** The server name that the client asked for (TLS SNI). */
  readonly serverName: string | undefined
}

/** What the layer above does with what comes over a connection. */
export interface ConnectionHandler {
  lines(lines: readonly Incoming[]): void
  /** Everything received has been handled and no more will come, but replies can still be sent. */
  ended(): void
  gone(reason: string): void
}

/** The sending side of a connection. */
export interface PeerWire {
  /** Bytes written that the system has not taken yet. */
  readonly waiting: number
  /** Whole lines, with their CRLFs. */
  write(bytes: Uint8Array): void
  /** Ends the connection once everything written is sent, or after LINGER_MS. */
  end(): void
  /** Ends the connection at once; unsent data is lost. */
  cut(): void
  pause(): void
  resume(): void
  /** A gateway speaks for that address, whose limits now apply. Returns why it is refused, or undefined. */
  move(address: string): string | undefined
}

/** Called for each new connection. */
export type Receive = (wire: PeerWire, peer: Peer) => ConnectionHandler

/** Once the server has closed, a peer that does not take the rest or hang up is cut off after this. */
export const LINGER_MS = 5_000

/** Sends `last`, if any, and ends the connection. */
export function endSocket(socket: Socket, last?: string): void {
  if (last === undefined) socket.end()
  else socket.end(last)
  socket.resume()
  cutOffLater(socket)
}

/** Tells a refused connection why and ends it; beyond what the gate lets linger, it is reset without a word. */
export function turnAway(socket: Socket, last: string, gate: Gate): void {
  const address = plainAddress(socket.remoteAddress ?? '')
  if (socket.destroyed || !gate.part(address)) return reset(socket)
  socket.once('close', () => gate.parted(address))
  endSocket(socket, last)
}

/** Gives its file back at once. */
export function reset(socket: Socket): void {
  if (socket instanceof TLSSocket) socket.destroy()
  else socket.resetAndDestroy()
}

export function cutOffLater(socket: Socket): void {
  const late = setTimeout(() => socket.destroy(), LINGER_MS)
  late.unref()
  socket.once('close', () => clearTimeout(late))
}
