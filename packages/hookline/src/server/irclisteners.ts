// Opens the IRC listeners, and connects their clients to the chat.
import type { Session } from '../chat/session.ts'
import type { Spine } from '../chat/spine.ts'
import type { Config } from '../config/config.ts'
import { roomForConnections } from './descriptors.ts'
import { asParam, LOOPBACK } from '../irc/address.ts'
import type { Incoming } from '../irc/message.ts'
import type { Log } from '../log/log.ts'
import type { FlushSchedule } from './flushschedule.ts'
import { networkList } from '../net/networks.ts'
import { LogThrottle } from '../log/logthrottle.ts'
import { Gate, type GateLimit, type OnRefused } from '../wire/gate.ts'
import { listen, type IrcListener } from '../wire/listener.ts'
import type { ConnectionHandler } from '../wire/peer.ts'

/** Binds every IRC listener; each is added to `opened` once it is open. */
export async function openIrcListeners(
  { listeners, limits, server }: Config,
  shared: Shared,
  opened: IrcListener[],
): Promise<void> {
  const room = roomForConnections().chat
  const gate = new Gate(
    {
      inAll: room,
      perAddress: limits.connections_per_address,
      perTenMinutes: limits.connections_per_ten_minutes,
      ipv4Bits: limits.place_bits_ipv4,
      ipv6Bits: limits.place_bits_ipv6,
      // Whoever is on this machine needs no connection to overload it.
      exempt: [...LOOPBACK, ...limits.exempt],
    },
    shared.elapsed,
    tellOfRefusals(shared),
  )
  const trusted = networkList(server.trusted_proxies)
  const origins = server.websocket_origins
  // So that whoever floods one of them leaves room at each of the others.
  const share = Math.min(MOST_KEPT, Math.floor(room / 2 / listeners.length))
  const connections = room - share * (listeners.length - 1)
  for (const settings of listeners) {
    const listener = await listen({ ...settings, trusted, origins, connections }, gate, (wire, peer) => {
      const { chat } = shared
      const host = (chat.world.cloak ?? asParam)(peer.address)
      return new ChatConnection(shared, chat.connect(wire, { ...peer, host }))
    })
    opened.push(listener)
  }
}

/** Connections that each listener of the chat has for itself. */
const MOST_KEPT = 256

function tellOfRefusals({ log, elapsed }: Pick<Shared, 'log' | 'elapsed'>): OnRefused {
  const throttle = new LogThrottle()
  return (address, limit) => {
    const more = throttle.admit(limit, elapsed())
    if (!more) return
    if (limit === 'inAll') log.error(more, `new chat connections are refused: ${LIMITS.inAll}`)
    else log.warn({ address, ...more }, `connections from an address are refused: ${LIMITS[limit]}`)
  }
}

const LIMITS: Readonly<Record<GateLimit, string>> = {
  inAll:
    'the server may open few files more, and needs them elsewhere. Raise the limit (ulimit -n, LimitNOFILE= of systemd), and restart the server',
  perAddress: 'it has as many as limits.connections_per_address allows',
  perTenMinutes: 'it opens more than limits.connections_per_ten_minutes allows',
}

/** What all listeners share. */
interface Shared {
  readonly log: Log
  readonly chat: Spine
  readonly flushing: FlushSchedule
  readonly elapsed: () => number
}

/** A connection, as its listener sees it. */
class ChatConnection implements ConnectionHandler {
  readonly #log: Log
  readonly #chat: Spine
  readonly #flushing: FlushSchedule
  readonly #session: Session

  constructor({ log, chat, flushing }: Pick<Shared, 'log' | 'chat' | 'flushing'>, session: Session) {
    this.#log = log
    this.#chat = chat
    this.#flushing = flushing
    this.#session = session
    log.debug({ address: session.address }, 'a connection')
  }

  lines(lines: readonly Incoming[]): void {
    this.#flushing.heard()
    this.#chat.receive(this.#session, lines)
  }

  ended(): void {
    this.#chat.close(this.#session, 'Connection closed')
  }

  gone(reason: string): void {
    const { address, user } = this.#session
    this.#log.debug({ address, nick: user?.nick, reason }, 'a connection has ended')
    this.#chat.disconnect(this.#session, reason)
  }
}
