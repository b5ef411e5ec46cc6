// Binds an address and hands what connects there to its door: TCP, TLS or WebSocket.
import { createServer, type AddressInfo, type BlockList, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer, TLSSocket } from 'node:tls'
import { at, whyNot } from '../listening.ts'
import type { Gate } from './gate.ts'
import { countHandshakes } from './handshakes.ts'
import { type Certificates, type Life, openKeys } from './keys.ts'
import { admitLines, refuseLines } from './lines.ts'
import type { Peer, Receive } from './peer.ts'
import { welcome } from './welcome.ts'

export interface ListenerOptions {
  readonly host: string
  /** 0 for any free one. */
  readonly port: number
  readonly tls: Certificates | undefined
  readonly isWebSocket: boolean
  /** Web pages that may connect with WebSocket. */
  readonly origins: readonly string[]
  /** Proxies who are believed when they say whom a connection is from. */
  readonly trusted: BlockList
  /** Only proxies come in here, and each says whom it is from. */
  readonly isForProxies: boolean
}

export interface Listener {
  /** `127.0.0.1:6667`, with ` tls` and ` websocket` behind it where that is so. */
  readonly address: string
  /** Those of its certificates. */
  readonly files: readonly string[]
  /** From when until when each may be shown. */
  lives(): readonly Life[]
  /** Reads the certificates again; a bad one throws and the old ones stay. */
  reload(): void
  close(): Promise<void>
}

/** When the whole server ends: what was written has left by then, and a peer that lives has hung up. */
const FAREWELL_MS = 200

/** Binds, or rejects saying which address and why. `receive` is called for each connection. */
export async function listen(options: ListenerOptions, gate: Gate, receive: Receive): Promise<Listener> {
  const { host, port, tls, isWebSocket } = options
  const keys = tls && openKeys(tls)
  const accept = await acceptor(options, gate, receive)
  const tlsServer = keys && createTlsServer({ ...keys.options, ...handshake(isWebSocket) }, accept)
  const server: Server = tlsServer ?? createServer({ noDelay: true }, accept)
  tlsServer?.on('tlsClientError', (_, socket) => socket.destroy())
  if (tlsServer) countHandshakes(tlsServer, gate, options.trusted)
  // Those too that are still shaking hands.
  const sockets = new Set<Socket>()
  function forget(this: Socket): void {
    sockets.delete(this)
  }
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', forget)
  })

  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(new Error(`cannot listen on ${at(host, port)}: ${whyNot(error)}`)),
    )
    // Many clients come at once when a server restarts; the system's default of 511 would refuse some.
    server.listen({ host, port, backlog: 4096 }, resolve)
  })
  server.on('error', () => {
    // Too many open files: those who are here stay, and new ones come in when there is room.
  })

  const bound = server.address() as AddressInfo
  return {
    address: at(host, bound.port) + (keys ? ' tls' : '') + (isWebSocket ? ' websocket' : ''),
    files: (tls ?? []).flatMap(({ cert, key }) => [cert, key]),
    lives: () => keys?.lives() ?? [],
    reload(): void {
      keys?.reload()
      if (keys) tlsServer?.setSecureContext(keys.options)
    },
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

/**
 * A client may show a certificate of its own, whoever made it: SASL EXTERNAL knows accounts by it. Not where browsers come, which
 * would ask their user for one.
 */
function handshake(isWebSocket: boolean) {
  return { noDelay: true, handshakeTimeout: 10_000, requestCert: !isWebSocket, rejectUnauthorized: false }
}

async function acceptor(
  { trusted, origins, isForProxies, isWebSocket }: ListenerOptions,
  gate: Gate,
  receive: Receive,
): Promise<(socket: Socket) => void> {
  const admitWebSocket = isWebSocket
    ? (await import('./websocket.ts')).webSocketDoor({ origins, trusted, gate, receive })
    : undefined
  return (socket) =>
    welcome(
      socket,
      { trusted, areRequired: isForProxies },
      {
        go(address, first) {
          const peer = { address, ...securityOf(socket) }
          if (admitWebSocket === undefined) admitLines(socket, peer, { first, gate, receive })
          else admitWebSocket(socket, peer, first)
        },
        refuse: (reason) => refuseLines(socket, reason),
      },
    )
}

function securityOf(socket: Socket): Omit<Peer, 'address'> {
  if (!(socket instanceof TLSSocket)) return { isSecure: false, certfp: undefined, serverName: undefined }
  const shownName: unknown = 'servername' in socket ? socket.servername : undefined
  return {
    isSecure: true,
    certfp: socket.getPeerX509Certificate()?.fingerprint256.replaceAll(':', '').toLowerCase(),
    serverName: typeof shownName === 'string' ? shownName : undefined,
  }
}
