// WebSocket: each message is a line. https://ircv3.net/specs/extensions/websocket
import type { IncomingMessage } from 'node:http'
import { type BlockList, isIP, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { type RawData, type WebSocket, WebSocketServer } from 'ws'
import { createServer } from '../net/http.ts'
import type { Incoming } from '../irc/message.ts'
import { addressOf, isListed } from '../net/networks.ts'
import { ENDLESS, LineDecoder } from './decoder.ts'
import { framesOf } from './frames.ts'
import type { Admission, Gate } from './gate.ts'
import { isWelcome } from './origins.ts'
import { cutOffLater, turnAway, type Peer, type PeerWire, type Receive } from './peer.ts'

export interface WebSocketOptions {
  /** Web pages that may connect. */
  readonly origins: readonly string[]
  /** Proxies whose X-Forwarded-For and X-Forwarded-Proto are believed. */
  readonly trusted: BlockList
  readonly gate: Gate
  readonly receive: Receive
}

/** Takes a socket that is to send a request; `first` holds bytes of it already read. */
export type AdmitWebSocket = (socket: Socket, peer: Peer, first: Buffer) => void

/** A client that has not asked for WebSocket by then is cut off. */
const REQUEST_MS = 10_000
/** The client's order wins. One that asks for none gets text, which every browser takes. */
const PROTOCOLS: readonly string[] = ['text.ircv3.net', 'binary.ircv3.net']

export function webSocketDoor(options: WebSocketOptions): AdmitWebSocket {
  const asking = new WeakMap<Duplex, Asking>()
  const upgrades = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    // Answered below.
    autoPong: false,
    // Lines are short, and compression next to a secret leaks it.
    perMessageDeflate: false,
    // A line that is too long is answered as on TCP; beyond this the connection ends (1009).
    maxPayload: ENDLESS,
    handleProtocols: (offered) => [...offered].find((name) => PROTOCOLS.includes(name)) ?? false,
  })
  const http = createServer({ maxHeaderSize: 8_192 }, (_, answer) => {
    answer.writeHead(426, { Connection: 'close, upgrade', Upgrade: 'websocket' })
    answer.end('This is an IRC server: connect with WebSocket\n')
  })
  http.on('clientError', (_, socket) => socket.destroy())
  http.on('upgrade', (request, socket, head) => {
    const asked = asking.get(socket)
    if (asked === undefined) return void socket.destroy()
    clearTimeout(asked.late)
    const peer = forwarded(asked.peer, request, options.trusted)
    upgrade(
      { request, socket: socket as Socket, head },
      { peer, admission: asked.admission },
      { ...options, upgrades },
    )
  })
  return (socket, peer, first) => {
    // A proxy names its client in the request; anybody else counts from now on.
    const isProxy = isListed(options.trusted, peer.address)
    const admission = isProxy ? undefined : admit(socket, peer, options.gate)
    if (!isProxy && admission === undefined) return
    const late = setTimeout(() => socket.destroy(), REQUEST_MS)
    socket.once('close', () => clearTimeout(late))
    asking.set(socket, { peer, admission, late })
    if (first.length > 0) socket.unshift(first)
    http.emit('connection', socket)
  }
}

interface Asking {
  readonly peer: Peer
  /** Undefined for a trusted proxy: its client is admitted instead. */
  readonly admission: Admission | undefined
  readonly late: NodeJS.Timeout
}

/** Undefined if it is refused. */
function admit(socket: Socket, { address }: Peer, gate: Gate): Admission | undefined {
  const admission = gate.admit(address)
  if (typeof admission === 'string') return void refuse(socket, '429 Too Many Requests', admission, gate)
  socket.once('close', () => admission.leave())
  return admission
}

/** The client that a trusted proxy speaks for. */
function forwarded(peer: Peer, { headers }: IncomingMessage, trusted: BlockList): Peer {
  if (!isListed(trusted, peer.address)) return peer
  const address = addressOf(peer.address, headers['x-forwarded-for'], trusted)
  if (isIP(address) === 0) return peer
  return { ...peer, address, isSecure: peer.isSecure || headers['x-forwarded-proto'] === 'https' }
}

function upgrade(
  { request, socket, head }: { request: IncomingMessage; socket: Socket; head: Buffer },
  { peer, admission: early }: { peer: Peer; admission: Admission | undefined },
  { origins, gate, receive, upgrades }: WebSocketOptions & { upgrades: WebSocketServer },
): void {
  if (request.httpVersion !== '1.1') return refuse(socket, '400 Bad Request', 'use HTTP/1.1', gate)
  const { origin } = request.headers
  if (!isWelcome(origin, origins))
    return refuse(socket, '403 Forbidden', 'not in server.websocket_origins', gate)
  const admission = early ?? admit(socket, peer, gate)
  if (admission === undefined) return
  upgrades.handleUpgrade(request, socket, head, (websocket) => {
    const handler = receive(new WebSocketWire(websocket, socket, admission), peer)
    const decoder = new LineDecoder()
    const count = (lines: Incoming[]): void => {
      if (lines.length > 0) handler.lines(lines)
    }
    websocket.on('message', (message) => {
      const bytes = bytesOf(message)
      const lines = decoder.push(bytes)
      count(bytes.at(-1) === LF ? lines : [...lines, ...decoder.push(NEWLINE)])
    })
    const answer = ponger(websocket)
    websocket.on('ping', (data: Buffer) => {
      answer(data)
      count([CONTROL_FRAME])
    })
    websocket.on('pong', () => count([CONTROL_FRAME]))
    // Before `ws` reads them: of empty fragments it tells nobody.
    socket.prependListener('data', ({ length }: Buffer) => count(decoder.charge(length, [])))
    websocket.on('error', () => {
      // `ws` reports a protocol error to the peer and closes; `close` follows.
    })
    const awake = setInterval(() => websocket.ping(), PING_MS).unref()
    websocket.on('close', (code) => {
      clearInterval(awake)
      handler.gone(code === ABNORMAL ? 'Connection error' : 'Connection closed')
    })
  })
}

/** The end of a line, which a message must not have. */
const NEWLINE = Buffer.from('\n')
const LF = 10
const CONTROL_FRAME: Incoming = { fault: 'empty', lines: 1 }
/** Proxies close what says nothing for a minute; the chat's own PING comes later. RFC 6455 5.5.2: browsers answer by themselves. */
const PING_MS = 45_000
/** RFC 6455 7.4.1: no closing handshake. */
const ABNORMAL = 1006

/** Answers the last ping of each turn, as RFC 6455 5.5.3 allows: one read may bring ten thousand. */
function ponger(websocket: WebSocket): (data: Buffer) => void {
  let last: Buffer | undefined
  const send = (): void => {
    websocket.pong(last)
    last = undefined
  }
  return (data) => {
    if (last === undefined) setImmediate(send)
    last = data
  }
}

function bytesOf(message: RawData): Buffer {
  if (Buffer.isBuffer(message)) return message
  return Array.isArray(message) ? Buffer.concat(message) : Buffer.from(message)
}

function refuse(socket: Socket, status: string, reason: string, gate: Gate): void {
  const head = `HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Type: text/plain\r\n\r\n`
  turnAway(socket, `${head}${reason}\n`, gate)
}

class WebSocketWire implements PeerWire {
  readonly #websocket: WebSocket
  readonly #socket: Socket
  readonly #admission: Admission
  readonly #kind: 'binary' | 'text'

  constructor(websocket: WebSocket, socket: Socket, admission: Admission) {
    this.#websocket = websocket
    this.#socket = socket
    this.#admission = admission
    this.#kind = websocket.protocol === 'binary.ircv3.net' ? 'binary' : 'text'
  }

  get waiting(): number {
    return this.#socket.writableLength
  }

  // Bypasses `ws`, which would write each frame's header anew per recipient. Both write whole frames, so that these and its own
  // (pong, close) never interleave.
  write(bytes: Uint8Array): void {
    const isOpen = this.#websocket.readyState === this.#websocket.OPEN
    if (isOpen && this.#socket.writable) this.#socket.write(framesOf(bytes, this.#kind))
  }

  end(): void {
    this.#websocket.resume()
    this.#websocket.close(NORMAL_CLOSURE)
    cutOffLater(this.#socket)
  }

  cut(): void {
    this.#websocket.terminate()
  }

  pause(): void {
    this.#websocket.pause()
  }

  resume(): void {
    this.#websocket.resume()
  }

  move(address: string): string | undefined {
    return this.#admission.move(address)
  }
}

/** RFC 6455 7.4.1. ERROR has told the reason. */
const NORMAL_CLOSURE = 1000
