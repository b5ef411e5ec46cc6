// A connection takes up room at the gate from the start of its TLS handshake: the gate admits it only once that is done.
import type { BlockList, Socket } from 'node:net'
import type { Server } from 'node:tls'
import { isListed, plainAddress } from '../net/networks.ts'
import type { Gate } from './gate.ts'

/**
 * Without room the connection is dropped: before the handshake nothing can be said. Once it is done, the gate decides. Proxies in
 * `trusted` bring others and have no limit.
 */
export function countHandshakes(server: Server, gate: Gate, trusted: BlockList): void {
  /** By address and port: after the handshake it is another socket object. */
  const underWay = new Map<string, string>()

  function end(place: string): void {
    const address = underWay.get(place)
    if (address === undefined) return
    underWay.delete(place)
    gate.leave(address)
  }

  server.on('connection', (socket: Socket) => {
    // Its client has reset it already, and nothing tells it from others of that kind.
    if (socket.remoteAddress === undefined) return void socket.destroy()
    const address = plainAddress(socket.remoteAddress)
    if (isListed(trusted, address)) return
    if (!gate.reserve(address)) return void socket.destroy()
    const place = placeOf(socket)
    underWay.set(place, address)
    socket.once('close', () => end(place))
  })
  // Before the listener that asks the gate.
  server.prependListener('secureConnection', (socket) => end(placeOf(socket)))
}

function placeOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`
}
