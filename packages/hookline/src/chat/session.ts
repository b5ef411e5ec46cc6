// One connection, before and after it becomes a user. Local to this server: nothing here is in the log.
import type { Incoming } from '../irc/message.ts'
import type { NickKey } from '../irc/names.ts'
import { Bucket } from './bucket.ts'
import type { Telling } from './output/line.ts'
import { type Flushing, Outbox, type Wire } from './output/outbox.ts'
import type { Response, Rest } from './output/response.ts'
import { NO_ENTRIES, NO_MEMBERS } from './emptycollections.ts'
import type { SessionId, User } from './state.ts'

/** What a client has said of itself before registration is complete. */
export interface Introduction {
  nick: string | undefined
  /** The last that it asked for, even if it was taken. */
  wantedNick: string | undefined
  username: string | undefined
  realname: string
  /** The account that it has proved to be its own. */
  account: string | null
  /** The hash with which its connection password was compared, and matched: a reload may set another. */
  passwordHash: string | undefined
  /** What it has set with METADATA. */
  metadata: ReadonlyMap<string, string>
  /** CAP was used and not ended, so registration waits. */
  isNegotiating: boolean
  /** How many lines it has sent, up to 2: only the first matters. */
  line: 0 | 1 | 2
}

const UNKNOWN: Introduction = {
  nick: undefined,
  wantedNick: undefined,
  username: undefined,
  realname: '',
  account: null,
  passwordHash: undefined,
  metadata: NO_ENTRIES,
  isNegotiating: false,
  line: 0,
}

/** Shared by all who are registered: what each said is kept with its user now. */
const INTRODUCED: Introduction = Object.freeze({ ...UNKNOWN, line: 2 })

/** Where a connection comes from. */
export interface ConnectionFacts {
  /** As others see it. */
  readonly host: string
  /** Its real address, if others see something else. */
  readonly address?: string
  readonly isSecure: boolean
  /** SHA-256 of the client's certificate in lower-case hex, if it presented one. */
  readonly certfp?: string | undefined
  /** The server name that it asked for (TLS SNI). */
  readonly serverName?: string | undefined
}

/** Shared by all who have nothing waiting, and never added to. */
export const NO_LINES: Incoming[] = []

export class Session {
  // Next to each other in memory: they are read for every line of a channel.
  readonly outbox: Outbox
  /** Capabilities, a bit for each. */
  caps = 0
  /** Undefined until registered. */
  user: User | undefined
  readonly id: SessionId
  readonly wire: Wire
  host: string
  /** Its real address. */
  address: string
  isSecure: boolean
  certfp: string | undefined
  readonly serverName: string | undefined
  readonly connectedAt: number
  /** 302 once a client has asked for it; it never goes back. */
  capVersion = 0
  introduction: Introduction = { ...UNKNOWN }
  /** Why the user is away, as said by this connection. */
  away: string | undefined
  /** Collects what answers a labelled command, while that command runs. */
  response: Response | undefined
  /** What is still to be sent of answers too long for one turn. */
  rest: Rest | undefined
  /** The label of the token that it logged in with: it may not decide what else logs in to the account, and ends with the token. */
  token: string | undefined
  /** Nicks that it monitors, as it wrote them. */
  monitored: ReadonlyMap<NickKey, string> = NO_ENTRIES
  /** Metadata keys that it subscribed to. */
  subscriptions: ReadonlySet<string> = NO_MEMBERS
  /** Lines read and not yet handled: it waits for slow work, such as a password check, or has sent too much at once. */
  backlog: Incoming[] = NO_LINES
  isWorking = false
  isClosed = false
  heardAt: number
  /** When it last sent a message to somebody, for WHOIS. */
  spokeAt: number
  /** Wrong passwords of the server or of its operators, in a row. */
  wrongPasswords = 0
  pingedAt: number | undefined
  /** How many lines it may send. */
  readonly lines = new Bucket()
  readonly #overflow: (session: Session) => void

  constructor(
    id: SessionId,
    wire: Wire,
    options: ConnectionFacts & {
      flusher: Flushing
      now: number
      sendQueueBytes: number
      overflow: (session: Session) => void
    },
  ) {
    this.id = id
    this.wire = wire
    this.outbox = new Outbox(wire, options.flusher, { limit: options.sendQueueBytes, owner: this })
    this.#overflow = options.overflow
    this.host = options.host
    this.address = options.address ?? options.host
    this.isSecure = options.isSecure
    this.certfp = options.certfp
    this.serverName = options.serverName
    this.connectedAt = this.heardAt = this.spokeAt = options.now
  }

  /** It belongs to that user from now on. */
  enter(user: User): void {
    this.user = user
    this.introduction = INTRODUCED
  }

  /** It is from elsewhere, as a trusted gateway says. */
  moveTo({ host, address, isSecure }: { host: string; address: string; isSecure: boolean }): void {
    this.host = host
    this.address = address
    this.isSecure = isSecure
    // The certificate was the gateway's own, the same for all its clients.
    this.certfp = undefined
  }

  /** It reads more slowly than its send queue allows. */
  overflow(): void {
    this.#overflow(this)
  }

  /** What it was sent so far is written with its old capabilities. */
  adopt(caps: number): void {
    this.outbox.settle()
    this.caps = caps
  }

  /** What replies call it: `*` until it has a nick. */
  get nick(): string {
    return this.user?.nick ?? this.introduction.nick ?? '*'
  }

  has(cap: number): boolean {
    return (this.caps & cap) !== 0
  }

  /** Whether a line for those with this capability is for it too; 0: for everybody. */
  hears(cap: number): boolean {
    return cap === 0 || this.has(cap)
  }

  send(telling: Telling): void {
    if (this.response === undefined) this.outbox.push(telling.form(this.caps))
    else this.response.add(telling, this.caps)
  }

  /** Never labelled: what others cause here, and one's own message delivered to oneself. */
  sendUnlabelled(telling: Telling): void {
    this.outbox.push(telling.form(this.caps))
  }
}
