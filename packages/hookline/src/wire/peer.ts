// Whom a connection is from, and what the rooms above make of it. The same for every door.
import type { Socket } from 'node:net'
import type { Incoming } from '../irc/message.ts'

export interface Peer {
  /** IPv4 in its own form, IPv6 in its shortest. */
  readonly address: string
  readonly isSecure: boolean
  /** SHA-256 of the certificate that the client showed, in lower-case hex. Nobody vouches for it: it is a key that the client has. */
  readonly certfp: string | undefined
  /** The name by which the client asked for us (TLS SNI). */
  readonly serverName: string | undefined
}

/** What the room above is told of a connection. */
export interface Visitor {
  lines(lines: readonly Incoming[]): void
  /** Everything that it said was dealt with, and it says nothing more, but it can be answered. */
  ended(): void
  gone(reason: string): void
}

/** Where bytes leave. */
export interface PeerWire {
  /** Bytes handed over and not yet taken by the peer. */
  readonly waiting: number
  /** Whole lines, with their CRLFs. */
  write(bytes: Uint8Array): void
  /** Ends the connection once everything written is gone, or soon after. */
  end(): void
  /** Ends the connection at once; what is not taken is lost. */
  cut(): void
  pause(): void
  resume(): void
  /** A gateway speaks for that address: its limits count from now on. Why it may not come in, or undefined. */
  move(address: string): string | undefined
}

/** Called for each connection; answers who deals with it. */
export type Receive = (wire: PeerWire, peer: Peer) => Visitor

/** Once closed by us, a peer that does not take what is left, or does not hang up, is cut off after this. */
export const LINGER_MS = 5_000

/** Says the last there is to say, and ends the connection. */
export function endSocket(socket: Socket, last?: string): void {
  if (last === undefined) socket.end()
  else socket.end(last)
  socket.resume()
  cutOffLater(socket)
}

export function cutOffLater(socket: Socket): void {
  const late = setTimeout(() => socket.destroy(), LINGER_MS)
  late.unref()
  socket.once('close', () => clearTimeout(late))
}
