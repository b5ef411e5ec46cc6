// TCP and TLS doors: what comes in is lines, what goes out is bytes.
import { readFileSync } from 'node:fs'
import { createServer, type AddressInfo, type BlockList, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import type { Incoming } from '../irc/message.ts'
import { LineDecoder } from './decoder.ts'
import type { Gate } from './gate.ts'
import { isListed } from '../networks.ts'
import { readProxyHeader } from './proxy.ts'

export interface ListenerOptions {
  readonly host: string
  /** 0 for any free one. */
  readonly port: number
  readonly tls: { readonly cert: string; readonly key: string } | undefined
  /** Proxies whose PROXY header is believed, where they send one. */
  readonly trusted: BlockList
  /** Only proxies come in here, and each says whom it is from. */
  readonly isForProxies: boolean
}

/** What the room above is told of a connection. */
export interface Visitor {
  lines(lines: readonly Incoming[]): void
  gone(reason: string): void
}

/** Where bytes leave. */
export type SocketWire = ReturnType<typeof wireOf>

export interface Listener {
  /** `127.0.0.1:6667`, with ` tls` behind it where that is so. */
  readonly address: string
  /** Reads the certificate again; a bad one throws and the old one stays. */
  reload(): void
  close(): Promise<void>
}

/** Once closed by us, a peer that does not take what is left is cut off after this. */
const LINGER_MS = 5_000
/** The same when the whole server ends: what was written has left by then, and a peer that lives has hung up. */
const FAREWELL_MS = 200

/** A proxy says at once whom it brings. */
const HEADER_MS = 10_000

type Receive = (wire: SocketWire, from: { host: string; isSecure: boolean }) => Visitor

/**
 * Binds, or rejects saying which address and why. `receive` is called for each connection, and answers who deals with it.
 */
export async function listen(options: ListenerOptions, gate: Gate, receive: Receive): Promise<Listener> {
  const { host, port, tls } = options
  const accept = (socket: Socket) =>
    welcome(socket, options, (address, first) =>
      admit(socket, { address, first, isSecure: tls !== undefined, gate, receive }),
    )
  const tlsServer =
    tls && createTlsServer({ ...readKeys(tls), noDelay: true, handshakeTimeout: 10_000 }, accept)
  const server: Server = tlsServer ?? createServer({ noDelay: true }, accept)
  tlsServer?.on('tlsClientError', (_, socket) => socket.destroy())
  // Those too that are still shaking hands.
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })

  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(new Error(`cannot listen on ${shown(host, port)}: ${reasonOf(error)}`)),
    )
    // Many clients come at once when a server restarts; the system's default of 511 would refuse some.
    server.listen({ host, port, backlog: 4096 }, resolve)
  })
  server.on('error', () => {
    // Too many open files: those who are here stay, and new ones come in when there is room.
  })

  const bound = server.address() as AddressInfo
  return {
    address: shown(host, bound.port) + (tls === undefined ? '' : ' tls'),
    reload: () => tls && tlsServer?.setSecureContext(readKeys(tls)),
    close: () =>
      new Promise((resolve) => {
        const late = setTimeout(() => sockets.forEach((socket) => socket.destroy()), FAREWELL_MS)
        server.close(() => {
          clearTimeout(late)
          resolve()
        })
      }),
  }
}

/** Finds out whom the connection is from. `first` are bytes that were read on the way. */
function welcome(
  socket: Socket,
  options: ListenerOptions,
  go: (address: string, first: Buffer) => void,
): void {
  socket.on('error', () => {
    // `close` follows, and tells the reason.
  })
  const peer = plainAddress(socket.remoteAddress ?? '')
  const isTrusted = isListed(options.trusted, peer)
  if (options.isForProxies && !isTrusted) return refuse(socket, 'Only trusted proxies may connect here')
  // Inside TLS nobody sends one.
  if (!isTrusted || options.tls !== undefined) return go(peer, NOTHING)

  let bytes = NOTHING
  const late = setTimeout(() => socket.destroy(), HEADER_MS)
  socket.once('close', () => clearTimeout(late))
  const read = (chunk: Buffer): void => {
    bytes = Buffer.concat([bytes, chunk])
    const header = readProxyHeader(bytes)
    if (header.kind === 'incomplete') return
    clearTimeout(late)
    socket.off('data', read)
    if (header.kind === 'header') return go(header.address ?? peer, bytes.subarray(header.length))
    if (header.kind === 'malformed' || options.isForProxies)
      return refuse(socket, 'A PROXY header is expected here')
    go(peer, bytes)
  }
  socket.on('data', read)
}

interface Admission {
  readonly address: string
  readonly first: Buffer
  readonly isSecure: boolean
  readonly gate: Gate
  readonly receive: Receive
}

function admit(socket: Socket, { address, first, isSecure, gate, receive }: Admission): void {
  const refusal = gate.enter(address)
  if (refusal !== undefined) return refuse(socket, refusal)

  const decoder = new LineDecoder()
  // A parameter cannot begin with a colon, as `::1` does.
  const host = address.startsWith(':') ? `0${address}` : address
  const visitor = receive(wireOf(socket), { host, isSecure })
  const read = (chunk: Buffer): void => {
    const lines = decoder.push(chunk)
    if (lines.length > 0) visitor.lines(lines)
  }
  socket.on('data', read)
  socket.on('close', (hadError) => {
    gate.leave(address)
    visitor.gone(hadError ? 'Connection error' : 'Connection closed')
  })
  if (first.length > 0) read(first)
}

const NOTHING = Buffer.alloc(0)

function refuse(socket: Socket, reason: string): void {
  socket.end(`ERROR :${reason}\r\n`)
  socket.resume()
}

function wireOf(socket: Socket) {
  return {
    /** Bytes handed over and not yet taken by the peer. */
    get waiting(): number {
      return socket.writableLength
    },
    write: (bytes: Uint8Array) => void (socket.writable && socket.write(bytes)),
    end(): void {
      socket.end()
      socket.resume()
      const late = setTimeout(() => socket.destroy(), LINGER_MS)
      late.unref()
      socket.once('close', () => clearTimeout(late))
    },
    pause: () => void socket.pause(),
    resume: () => void socket.resume(),
  }
}

function readKeys({ cert, key }: { cert: string; key: string }): {
  cert: Buffer
  key: Buffer
  minVersion: 'TLSv1.2'
} {
  return { cert: readFileSync(cert), key: readFileSync(key), minVersion: 'TLSv1.2' }
}

/** IPv4 in its own form where the system hands it in IPv6's. */
function plainAddress(address: string): string {
  return address.startsWith('::ffff:') ? address.slice('::ffff:'.length) : address
}

function shown(host: string, port: number): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`
}

function reasonOf({ code, message }: NodeJS.ErrnoException): string {
  if (code === 'EADDRINUSE') return 'another program listens there'
  if (code === 'EACCES') return 'the system does not allow it (ports below 1024 are for root)'
  if (code === 'EADDRNOTAVAIL') return 'this machine has no such address'
  return message
}
