// The pace of a connection: one line after the other, not too many at once, and not for ever in silence.
import type { Incoming } from '../irc/message.ts'
import { belongsTo } from './features/multiline.ts'
import { NO_LINES, type Session } from './session.ts'
import type { Chat } from './spine.ts'

export class Keeper {
  readonly #chat: Chat

  constructor(chat: Chat) {
    this.#chat = chat
  }

  /** Hands lines to `handle` in order, stopping where a command must wait or the session has used up its allowance. */
  receive(
    session: Session,
    lines: readonly Incoming[],
    handle: (line: Incoming) => Promise<void> | undefined,
  ): void {
    session.heardAt = this.#chat.world.elapsed()
    session.pingedAt = undefined
    if (session.isWorking) {
      // Reading was paused already: these came in the same read, or just before the pause took hold. With WebSocket one read may
      // bring ten thousand messages, each of them by itself.
      for (const line of lines) session.backlog.push(line)
      return
    }
    this.#work(session, lines, handle)
  }

  #work(
    session: Session,
    lines: readonly Incoming[],
    handle: (line: Incoming) => Promise<void> | undefined,
  ): void {
    for (let i = 0; i < lines.length; i++) {
      if (session.isClosed) return
      const wait = this.#spend(session, lines[i] ?? '')
      if (wait > 0) return this.#pause(session, lines.slice(i), handle, wait)
      const working = this.#attempt(session, () => handle(lines[i] ?? ''))
      if (working !== undefined) {
        this.#await(session, lines.slice(i + 1), handle, working)
        return
      }
    }
  }

  #await(
    session: Session,
    rest: Incoming[],
    handle: (line: Incoming) => Promise<void> | undefined,
    working: Promise<void>,
  ): void {
    this.#hold(session, rest)
    working.then(
      () => this.#goOn(session, handle),
      (error: unknown) => this.#fail(session, error),
    )
  }

  #pause(
    session: Session,
    rest: Incoming[],
    handle: (line: Incoming) => Promise<void> | undefined,
    ms: number,
  ): void {
    this.#hold(session, rest)
    this.#chat.world.later(ms, () => this.#goOn(session, handle))
  }

  #hold(session: Session, rest: Incoming[]): void {
    session.isWorking = true
    session.backlog = rest
    session.wire.pause()
  }

  #goOn(session: Session, handle: (line: Incoming) => Promise<void> | undefined): void {
    session.isWorking = false
    if (session.isClosed) return
    const lines = session.backlog
    session.backlog = NO_LINES
    this.#work(session, lines, handle)
    if (!session.isWorking) session.wire.resume()
  }

  #attempt<T>(session: Session, run: () => T): T | undefined {
    try {
      return run()
    } catch (error) {
      this.#fail(session, error)
      return undefined
    }
  }

  #fail(session: Session, error: unknown): void {
    this.#chat.world.report(error)
    this.#chat.close(session, 'Internal error')
  }

  /** Takes one line off the allowance; else how many ms until there is one. What waits meanwhile waits in the peer's own buffers. */
  #spend(session: Session, line: Incoming): number {
    if (this.#chat.world.isBehind()) return CATCH_UP_MS
    const { flood, multilineLines } = this.#chat.settings.limits
    if (flood === undefined) return 0
    // The lines of one long message count as one; their number has a bound of its own.
    const open = session.multiline
    if (open !== undefined && open.seen < multilineLines && belongsTo(open, line)) return 0
    const now = this.#chat.world.elapsed()
    const earned = ((now - session.allowanceAt) / 1000) * flood.perSecond
    session.allowance = Math.min(session.allowance + earned, flood.burst)
    session.allowanceAt = now
    if (session.allowance >= 1) {
      session.allowance -= 1
      return 0
    }
    return Math.ceil(((1 - session.allowance) / flood.perSecond) * 1000)
  }

  tick(): void {
    const now = this.#chat.world.elapsed()
    const { registrationMs, pingAfterMs, pingTimeoutMs } = this.#chat.settings.limits
    for (const session of this.#chat.sessions.values()) {
      // What it has to say lies unread here: its silence is our doing.
      if (session.isWorking) {
        session.heardAt = now
        session.pingedAt = undefined
      }
      if (session.user === undefined) {
        if (now - session.connectedAt > registrationMs) this.#chat.close(session, 'Registration timed out')
      } else if (session.pingedAt !== undefined) {
        if (now - session.pingedAt > pingTimeoutMs) {
          this.#chat.close(session, `Ping timeout: ${Math.round((now - session.heardAt) / 1000)} seconds`)
        }
      } else if (now - session.heardAt > pingAfterMs) {
        session.pingedAt = now
        session.sendUnlabelled(this.#chat.line({ command: 'PING', params: [this.#chat.settings.name] }))
      }
    }
  }
}

/** How long whoever speaks waits for history to catch up, before we look again. */
const CATCH_UP_MS = 10
