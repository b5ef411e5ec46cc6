// One connection, before and after it becomes a user. Local to this server: nothing here is in the log.
import type { Incoming } from '../irc/message.ts'
import type { ChannelKey, NickKey } from '../irc/names.ts'
import type { OpenMultiline } from './features/multiline.ts'
import type { Playback, Replayed } from './features/playback.ts'
import type { OpenSasl } from './features/sasl.ts'
import type { Telling } from './output/line.ts'
import { Outbox, type Wire } from './output/outbox.ts'
import type { Rest } from './output/pieces.ts'
import type { Post } from './output/post.ts'
import type { Response } from './output/response.ts'
import type { Pace } from './pace.ts'
import { NO_ENTRIES, NO_MEMBERS } from './sparse.ts'
import type { SessionId, User } from './state.ts'

/** What a client has told of itself before it is let in. */
export interface Introduction {
  nick: string | undefined
  /** The last that it asked for, also if it was taken. */
  wantedNick: string | undefined
  username: string | undefined
  realname: string
  /** The account that it proved to be its own. */
  account: string | null
  /** Whether the connection password was proved. */
  hasPassword: boolean
  /** What it has said of itself with METADATA. */
  metadata: ReadonlyMap<string, string>
  /** CAP was spoken of and not ended, so we wait. */
  isNegotiating: boolean
  /** How many lines it has said, up to 2: what matters is which is the first. */
  line: 0 | 1 | 2
}

const UNKNOWN: Introduction = {
  nick: undefined,
  wantedNick: undefined,
  username: undefined,
  realname: '',
  account: null,
  hasPassword: false,
  metadata: NO_ENTRIES,
  isNegotiating: false,
  line: 0,
}

/** Of all who are in: what each told is its user's now, and would be kept twice. */
const INTRODUCED: Introduction = Object.freeze({ ...UNKNOWN, line: 2 })

/** Where a connection comes from. */
export interface Whence {
  /** As others see it. */
  readonly host: string
  /** What it truly is, where others see something else. */
  readonly address?: string
  readonly isSecure: boolean
  /** SHA-256 of the client's certificate in lower-case hex, for those who showed one. */
  readonly certfp?: string | undefined
  /** The name of ours that it asked for (TLS SNI). */
  readonly serverName?: string | undefined
}

/** The same for all who have nothing waiting: nobody adds to it. */
export const NO_LINES: Incoming[] = []

export class Session {
  // Next to each other in memory, for they are read for every line of a channel.
  readonly outbox: Outbox
  /** Capabilities, a bit for each. */
  caps = 0
  /** Undefined until registered. */
  user: User | undefined
  readonly id: SessionId
  readonly wire: Wire
  host: string
  /** What it truly comes from. */
  address: string
  isSecure: boolean
  certfp: string | undefined
  readonly serverName: string | undefined
  readonly connectedAt: number
  /** 302 once a client has said so; it never goes back. */
  capVersion = 0
  introduction: Introduction = { ...UNKNOWN }
  /** Why whoever sits at this connection is away. */
  away: string | undefined
  /** Collects what answers a labelled command, while that command runs. */
  response: Response | undefined
  /** What is still to be told of answers that were too long for one turn. */
  rest: Rest | undefined
  multiline: OpenMultiline | undefined
  /** A token logged it in: what else logs in to the account is not for it to say. */
  isByToken = false
  /** Logging in is under way. */
  sasl: OpenSasl | undefined
  /** What it asked *playback for, for the channels that it joins now. */
  playback: Playback | undefined
  /** Of the channels that it has joined just now, what was said there again. */
  replayed: Map<ChannelKey, Replayed> | undefined
  /** Nicks that it wants to know of, as it wrote them. */
  monitored: ReadonlyMap<NickKey, string> = NO_ENTRIES
  /** Keys of metadata that it wants to know of. */
  subscriptions: ReadonlySet<string> = NO_MEMBERS
  metadataPace: Pace | undefined
  /** A long batch is being written for it. */
  isPouring = false
  /** Lines read and not yet dealt with: it waits for a password to be checked, or has said too much at once. */
  backlog: Incoming[] = NO_LINES
  isWorking = false
  isClosed = false
  heardAt: number
  /** When it last said something to somebody, for WHOIS. */
  spokeAt: number
  /** Passwords of the server or of its operators that were wrong, in a row. */
  wrongPasswords = 0
  pingedAt: number | undefined
  allowance: number
  allowanceAt: number
  readonly #overflow: (session: Session) => void

  constructor(
    id: SessionId,
    wire: Wire,
    options: Whence & {
      post: Post
      now: number
      sendQueueBytes: number
      overflow: (session: Session) => void
    },
  ) {
    this.id = id
    this.wire = wire
    this.outbox = new Outbox(wire, options.post, { limit: options.sendQueueBytes, owner: this })
    this.#overflow = options.overflow
    this.host = options.host
    this.address = options.address ?? options.host
    this.isSecure = options.isSecure
    this.certfp = options.certfp
    this.serverName = options.serverName
    this.connectedAt = this.heardAt = this.spokeAt = this.allowanceAt = options.now
    this.allowance = Number.POSITIVE_INFINITY
  }

  /** It is that user's from now on. */
  enter(user: User): void {
    this.user = user
    this.introduction = INTRODUCED
  }

  /** It is from elsewhere, as a gateway says that we trust. */
  moveTo({ host, address, isSecure }: { host: string; address: string; isSecure: boolean }): void {
    this.host = host
    this.address = address
    this.isSecure = isSecure
    // A certificate was the gateway's own, the same for all whom it speaks for.
    this.certfp = undefined
  }

  /** It reads more slowly than its send queue allows. */
  overflow(): void {
    this.#overflow(this)
  }

  /** What it was told so far is written as it had asked for. */
  adopt(caps: number): void {
    this.outbox.settle()
    this.caps = caps
  }

  has(cap: number): boolean {
    return (this.caps & cap) !== 0
  }

  send(telling: Telling): void {
    if (this.response === undefined) this.outbox.push(telling.form(this.caps))
    else this.response.add(telling)
  }

  /** Past any label: what others cause here, and one's own message as it comes back to its target. */
  sendUnlabelled(telling: Telling): void {
    this.outbox.push(telling.form(this.caps))
  }
}
