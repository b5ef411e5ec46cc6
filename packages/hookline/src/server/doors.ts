// Opens the IRC listeners, and connects their clients to the chat.
import type { Session } from '../chat/session.ts'
import type { Chat } from '../chat/spine.ts'
import type { Config } from '../config/config.ts'
import { roomForChat } from './descriptors.ts'
import { asParam, LOOPBACK } from '../irc/address.ts'
import type { Incoming } from '../irc/message.ts'
import type { Log } from '../log.ts'
import type { Looks } from './looks.ts'
import { networkList } from '../networks.ts'
import { LogThrottle } from '../logthrottle.ts'
import { Gate, type GateLimit, type OnRefused } from '../wire/gate.ts'
import { listen, type IrcListener } from '../wire/listener.ts'
import type { ConnectionHandler } from '../wire/peer.ts'

/** Binds every IRC listener; each is added to `doors` once it is open. */
export async function openDoors(
  { listeners, limits, server }: Config,
  hall: Hall,
  doors: IrcListener[],
): Promise<void> {
  const gate = new Gate(
    {
      inAll: roomForChat(),
      perAddress: limits.connections_per_address,
      perTenMinutes: limits.connections_per_ten_minutes,
      ipv4Bits: limits.place_bits_ipv4,
      ipv6Bits: limits.place_bits_ipv6,
      // Whoever is on this machine needs no connection to overload it.
      exempt: [...LOOPBACK, ...limits.exempt],
    },
    hall.elapsed,
    tellOfRefusals(hall),
  )
  const trusted = networkList(server.trusted_proxies)
  const origins = server.websocket_origins
  for (const door of listeners) {
    const listener = await listen({ ...door, trusted, origins }, gate, (wire, peer) => {
      const { chat } = hall
      const host = (chat.world.cloak ?? asParam)(peer.address)
      return new ChatConnection(hall, chat.connect(wire, { ...peer, host }))
    })
    doors.push(listener)
  }
}

function tellOfRefusals({ log, elapsed }: Pick<Hall, 'log' | 'elapsed'>): OnRefused {
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
interface Hall {
  readonly log: Log
  readonly chat: Chat
  readonly looks: Looks
  readonly elapsed: () => number
}

/** A connection, as its listener sees it. */
class ChatConnection implements ConnectionHandler {
  readonly #chat: Chat
  readonly #looks: Looks
  readonly #session: Session

  constructor({ chat, looks }: Pick<Hall, 'chat' | 'looks'>, session: Session) {
    this.#chat = chat
    this.#looks = looks
    this.#session = session
  }

  lines(lines: readonly Incoming[]): void {
    this.#looks.heard()
    this.#chat.receive(this.#session, lines)
  }

  ended(): void {
    this.#chat.close(this.#session, 'Connection closed')
  }

  gone(reason: string): void {
    this.#chat.disconnect(this.#session, reason)
  }
}
