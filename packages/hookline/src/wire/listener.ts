// Binds an address and accepts connections there: TCP, TLS or WebSocket.
import { createServer, type AddressInfo, type BlockList, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer, TLSSocket } from 'node:tls'
import { bindFailure, closeWithin, hostAndPort } from '../net/listening.ts'
import { plainAddress } from '../net/networks.ts'
import { StartFailure } from '../failure/startfailure.ts'
import type { Gate } from './gate.ts'
import { countHandshakes } from './handshakes.ts'
import { type Certificates, type Validity, openKeys } from './keys.ts'
import { admitLines, refuseLines } from './lines.ts'
import { reset, type Peer, type Receive } from './peer.ts'
import { findAddress } from './peeraddress.ts'

export interface ListenerOptions {
  readonly host: string
  /** 0 for any free one. */
  readonly port: number
  readonly tls: Certificates | undefined
  readonly isWebSocket: boolean
  /** Web pages that may connect with WebSocket. */
  readonly origins: readonly string[]
  /** Proxies that are believed about whom they speak for. */
  readonly trusted: BlockList
  /** Only proxies may connect here, and each says whom it speaks for. */
  readonly isForProxies: boolean
  /** Most here, refused ones included, so that other listeners of the chat have room as well; beyond it they are reset. */
  readonly connections: number
}

export interface IrcListener {
  /** `127.0.0.1:6667`, followed by ` tls` and ` websocket` where they apply. */
  readonly address: string
  /** Its certificate and key files. */
  readonly files: readonly string[]
  /** The validity period of each certificate. */
  validities(): readonly Validity[]
  /** Reads the certificates again; throws and keeps the old ones if one is bad. */
  reload(): void
  close(): Promise<void>
}

/** At shutdown: by then everything written is sent, and responsive peers have hung up. */
const FAREWELL_MS = 200

/** Binds, or rejects with the address and the reason. `receive` is called for each connection. */
export async function listen(options: ListenerOptions, gate: Gate, receive: Receive): Promise<IrcListener> {
  const { host, port, tls, isWebSocket } = options
  const keys = tls && openKeys(tls)
  // Including those still in the handshake.
  const sockets = new Set<Socket>()
  function forget(this: Socket): void {
    sockets.delete(this)
    gate.closed()
  }
  /** False if there is no room for it. */
  function take(socket: Socket): boolean {
    if (sockets.size >= options.connections || !gate.accept()) {
      gate.overrun(plainAddress(socket.remoteAddress ?? ''))
      reset(socket)
      return false
    }
    sockets.add(socket)
    socket.on('close', forget)
    return true
  }
  const accept = await acceptor(options, gate, receive)
  const tlsServer = keys && createTlsServer({ ...keys.options, ...handshake(isWebSocket) }, accept)
  tlsServer?.on('tlsClientError', (_, socket) => socket.destroy())
  tlsServer?.on('connection', take)
  if (tlsServer) countHandshakes(tlsServer, gate, options.trusted)
  const server: Server =
    tlsServer ?? createServer({ noDelay: true }, (socket) => void (take(socket) && accept(socket)))

  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        new StartFailure('listener', `cannot listen on ${hostAndPort(host, port)}: ${bindFailure(error)}`),
      ),
    )
    // Many clients come at once when a server restarts; the system's default of 511 would refuse some.
    server.listen({ host, port, backlog: 4096 }, resolve)
  })
  server.on('error', () => {
    // Too many open files: existing connections stay, and new ones are accepted when there is room.
  })

  const bound = server.address() as AddressInfo
  return {
    address: hostAndPort(host, bound.port) + (keys ? ' tls' : '') + (isWebSocket ? ' websocket' : ''),
    files: (tls ?? []).flatMap(({ cert, key }) => [cert, key]),
    validities: () => keys?.validities() ?? [],
    reload(): void {
      keys?.reload()
      if (keys) tlsServer?.setSecureContext(keys.options)
    },
    close: () => closeWithin(FAREWELL_MS, server, sockets),
  }
}

/**
 * A client may present its own certificate, whoever issued it: SASL EXTERNAL finds accounts by it. Not with WebSocket: a browser
 * would ask its user for one.
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
    findAddress(
      socket,
      { trusted, areRequired: isForProxies },
      {
        go(address, first) {
          const peer = { address, ...securityOf(socket) }
          if (admitWebSocket === undefined) admitLines(socket, peer, { first, gate, receive })
          else admitWebSocket(socket, peer, first)
        },
        refuse: (reason) => refuseLines(socket, reason, gate),
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
