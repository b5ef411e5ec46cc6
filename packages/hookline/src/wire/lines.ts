// The TCP and TLS door: lines that end in CRLF, one after the other.
import type { Socket } from 'node:net'
import { LineDecoder } from './decoder.ts'
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

  const decoder = new LineDecoder()
  const visitor = receive(wireOf(socket, stay), peer)
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

function wireOf(socket: Socket, stay: Stay): PeerWire {
  return {
    get waiting(): number {
      return socket.writableLength
    },
    write: (bytes) => void (socket.writable && socket.write(bytes)),
    end(): void {
      socket.end()
      socket.resume()
      const late = setTimeout(() => socket.destroy(), LINGER_MS)
      late.unref()
      socket.once('close', () => clearTimeout(late))
    },
    pause: () => void socket.pause(),
    resume: () => void socket.resume(),
    move: (address) => stay.move(address),
  }
}
