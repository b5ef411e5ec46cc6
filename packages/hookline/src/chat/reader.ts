// The pace at which a connection is read: one line at a time, and not too many at once.
import type { Incoming } from '../irc/message.ts'
import type { Chat } from './chat.ts'
import { isCollected } from './features/multiline.ts'
import { NO_LINES, type Session } from './session.ts'

/** Handles a line; the next line waits for the promise. */
export type Handle = (session: Session, line: Incoming) => Promise<void> | undefined

export class Reader {
  readonly #chat: Chat
  readonly #handle: Handle

  constructor(chat: Chat, handle: Handle) {
    this.#chat = chat
    this.#handle = handle
  }

  /** Handles lines in order, stopping where a command must wait or the session has used up its allowance. */
  receive(session: Session, lines: readonly Incoming[]): void {
    if (session.isClosed) return
    // What counts besides the lines of a read comes before them, and is nothing that a client says.
    if (emptyLines(lines.at(-1)) === 0) {
      session.heardAt = this.#chat.world.elapsed()
      session.pingedAt = undefined
    }
    if (session.isWorking) {
      // Reading was paused already: these came in the same read, or before the pause took effect. With WebSocket one read may bring
      // ten thousand messages, one by one.
      for (const line of lines) session.backlog.push(line)
      return
    }
    this.#work(session, lines)
  }

  #work(session: Session, lines: readonly Incoming[]): void {
    for (let i = 0; i < lines.length; i++) {
      if (session.isClosed) return
      const line = lines[i] ?? ''
      const wait = this.#spend(session, line)
      if (wait > 0) return this.#pause(session, lines.slice(i), wait)
      if (emptyLines(line) > 0) continue
      const working = this.#attempt(session, line)
      if (working !== undefined) return this.#await(session, lines.slice(i + 1), working)
    }
  }

  #await(session: Session, rest: Incoming[], working: Promise<void>): void {
    this.#hold(session, rest)
    working.then(
      () => this.#goOn(session),
      (error: unknown) => this.#fail(session, error),
    )
  }

  #pause(session: Session, rest: Incoming[], ms: number): void {
    this.#hold(session, rest)
    this.#chat.world.later(ms, () => this.#goOn(session))
  }

  #hold(session: Session, rest: Incoming[]): void {
    session.isWorking = true
    session.backlog = rest
    session.wire.pause()
  }

  #goOn(session: Session): void {
    session.isWorking = false
    if (session.isClosed) return
    const lines = session.backlog
    session.backlog = NO_LINES
    this.#work(session, lines)
    if (!session.isWorking) session.wire.resume()
  }

  #attempt(session: Session, line: Incoming): Promise<void> | undefined {
    try {
      return this.#handle(session, line)
    } catch (error) {
      this.#fail(session, error)
      return undefined
    }
  }

  #fail(session: Session, error: unknown): void {
    this.#chat.world.report(error)
    this.#chat.close(session, 'Internal error')
  }

  /** Takes one line off the allowance; else how many ms until there is one. Unread input waits in the peer's own buffers. */
  #spend(session: Session, line: Incoming): number {
    if (this.#chat.world.isBehind()) return CATCH_UP_MS
    const { flood, multilineLines } = this.#chat.settings.limits
    if (flood === undefined) return 0
    // The lines of one long message count as one; their number has its own limit.
    if (isCollected(session, line, multilineLines)) return 0
    const rate = { count: flood.perSecond, everyMs: 1_000 }
    const most = flood.perSecond * MOST_OWED_S
    const lines = Math.min(emptyLines(line), most) || 1
    return session.lines.take(this.#chat.world.elapsed(), rate, flood.burst, lines)
  }
}

/** How many lines flood protection takes it for, if it is none. */
function emptyLines(line: Incoming | undefined): number {
  return typeof line === 'object' && line.fault === 'empty' ? line.lines : 0
}

/** Nobody waits longer for the empty lines of one read, of which there may be 65,536: their client may have hung up meanwhile. */
const MOST_OWED_S = 60

/** How long a speaker waits before the next check whether history has caught up. */
const CATCH_UP_MS = 10
