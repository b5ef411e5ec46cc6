// Who shakes hands for TLS takes up room at the gate like those who are in: until then nobody has asked whether they may be.
import type { BlockList, Socket } from 'node:net'
import { isListed, plainAddress } from '../networks.ts'
import type { Gate } from './gate.ts'

export class Handshakes {
  readonly #gate: Pick<Gate, 'knock' | 'leave'>
  readonly #trusted: BlockList
  /** By address and port: TLS has another socket when it is done. */
  readonly #underWay = new Map<string, string>()

  /** Proxies of ours, `trusted`, bring others and have no limit. */
  constructor(gate: Pick<Gate, 'knock' | 'leave'>, trusted: BlockList) {
    this.#gate = gate
    this.#trusted = trusted
  }

  /** Where there is no room the connection ends: before the handshake nothing can be said. */
  begin(socket: Socket): void {
    const address = plainAddress(socket.remoteAddress ?? '')
    if (isListed(this.#trusted, address)) return
    if (!this.#gate.knock(address)) return void socket.destroy()
    const place = placeOf(socket)
    this.#underWay.set(place, address)
    socket.once('close', () => this.#forget(place))
  }

  /** It is done; whether they may be in is for the gate to say. */
  end(socket: Socket): void {
    this.#forget(placeOf(socket))
  }

  #forget(place: string): void {
    const address = this.#underWay.get(place)
    if (address === undefined) return
    this.#underWay.delete(place)
    this.#gate.leave(address)
  }
}

function placeOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`
}
