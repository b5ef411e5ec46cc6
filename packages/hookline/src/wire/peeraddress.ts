// The address that a connection is from: its own, or what a proxy in front says in its first bytes.
import { TLSSocket } from 'node:tls'
import type { BlockList, Socket } from 'node:net'
import { isListed, plainAddress } from '../net/networks.ts'
import { readProxyHeader } from './proxy.ts'

export interface Proxies {
  /** Proxies whose PROXY header is believed, if they send one. */
  readonly trusted: BlockList
  /** Only proxies may connect here, and each says whom it speaks for. */
  readonly areRequired: boolean
}

/** A proxy sends its header at once. */
const HEADER_MS = 10_000

/** Calls `go` or `refuse`. `first` holds bytes already read, without the header. */
export function findAddress(
  socket: Socket,
  { trusted, areRequired }: Proxies,
  then: { go(address: string, first: Buffer): void; refuse(reason: string): void },
): void {
  socket.on('error', close)
  const peer = plainAddress(socket.remoteAddress ?? '')
  const isTrusted = isListed(trusted, peer)
  if (areRequired && !isTrusted) return then.refuse('Only trusted proxies may connect here')
  // No header is sent inside TLS.
  if (!isTrusted || socket instanceof TLSSocket) return then.go(peer, NOTHING)

  let bytes: Buffer = NOTHING
  const late = setTimeout(() => socket.destroy(), HEADER_MS)
  const forget = (): void => clearTimeout(late)
  socket.once('close', forget)
  const read = (chunk: Buffer): void => {
    bytes = Buffer.concat([bytes, chunk])
    const header = readProxyHeader(bytes)
    if (header.kind === 'incomplete') return
    forget()
    socket.off('data', read)
    if (header.kind === 'header') return then.go(header.address ?? peer, bytes.subarray(header.length))
    if (header.kind === 'malformed' || areRequired) return then.refuse('A PROXY header is expected here')
    then.go(peer, bytes)
  }
  socket.on('data', read)
}

const NOTHING = Buffer.alloc(0)

/** `close` reports it, and follows by itself only where TLS had no part in the error. */
function close(this: Socket): void {
  this.destroy()
}
