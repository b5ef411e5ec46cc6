// Runs what is recorded: composes it, one bot's deliveries in their order, records the outcome, then tells it.
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import type { Bot, Bots, DeliveryFacts, Logger } from '../bots/bots.ts'
import { parsePayload } from '../bots/payload.ts'
import type { Payload } from '../bots/payload.ts'
import type { VirtualUsers } from '../chat/virtual.ts'
import { StoreFailure } from '../store/failure.ts'
import type { Outcome, Store } from '../store/store.ts'
import { answerOutcome, answerQueued, refuse } from './answer.ts'
import type { Answer } from './answer.ts'
import { Lanes } from './lanes.ts'
import type { Mailbox } from './mailbox.ts'
import type { Poster, Prepared } from './poster.ts'

export interface RunnerOptions {
  readonly bots: Pick<Bots, 'get' | 'compose'>
  readonly chat: VirtualUsers
  readonly store: Store
  readonly log: Logger
  readonly poster: Poster
  readonly mailbox: Mailbox
  /** How long to wait before an outcome that the disk refused is written again. */
  readonly retryMs?: number
}

export class Runner {
  readonly #options: RunnerOptions
  readonly #lanes = new Lanes()
  /** Recorded, and on their way in this process. */
  readonly #running = new Set<string>()
  readonly #stopped = new AbortController()

  constructor(options: RunnerOptions) {
    this.#options = options
  }

  /** Whether too much waits already for one more of that size. */
  isFull(bot: string, bytes: number): boolean {
    return this.#lanes.isFull(bot, bytes)
  }

  isRunning(id: string): boolean {
    return this.#running.has(id)
  }

  /** It is pending once more and waits its turn: starting the bot now must not resume it as well. */
  claim(id: string): void {
    this.#running.add(id)
  }

  /** Runs `work` after everything that came before it for this bot. */
  inTurn<T>(bot: string, bytes: number, work: () => Promise<T>): Promise<T> {
    return this.#lanes.run(bot, bytes, work)
  }

  /** As `inTurn`, for a delivery that is recorded. */
  async enter(id: string, bot: string, work: () => Promise<Answer>, bytes = 0): Promise<Answer> {
    this.#running.add(id)
    try {
      return await this.#lanes.run(bot, bytes, work)
    } finally {
      this.#running.delete(id)
    }
  }

  /** Runs a recorded delivery, in its bot's turn; one that was started more than `most` times is given up. */
  again(id: string, bot: string, most = Infinity): Promise<Answer> {
    return this.enter(id, bot, async () => {
      const delivery = await this.#options.store.deliveries.reopen(id)
      if (!delivery?.body) return refuse(410, 'the body of this delivery is no longer kept')
      const parsed = parsePayload(delivery.body)
      if (parsed.ok && delivery.attempts <= most) return await this.run(bot, parsed.payload, delivery)
      const reason = parsed.ok
        ? `it was started ${most} times and never ended`
        : `${parsed.error}: ${parsed.detail}`
      return await this.#settle(id, this.#fail(bot, id, reason))
    })
  }

  /**
   * What was accepted and has no outcome runs again, in the order it came, before anything new of that bot. To be
   * called before the listener opens, and for one bot when it is started. Resolves when all of it is queued.
   */
  async resumePending(bot?: string): Promise<void> {
    const { store, bots, log } = this.#options
    const left = new Map<string, number>()
    for (const { id, bot: name } of await store.deliveries.pending()) {
      if ((bot !== undefined && bot !== name) || this.#running.has(id)) continue
      if (bots.get(name)?.status === 'active') {
        this.again(id, name, mostAttempts).catch((error: unknown) =>
          log.error({ err: error, id }, 'a delivery could not be resumed'),
        )
      } else left.set(name, (left.get(name) ?? 0) + 1)
    }
    for (const [name, count] of left) {
      log.warn({ bot: name, count }, `deliveries wait for this bot: run hookline bot start ${name}`)
    }
  }

  /** Resolves when nothing runs any more, or after `ms`. What is left is resumed at the next start. */
  async drain(ms: number): Promise<void> {
    const timer = setTimeout(() => this.#stopped.abort(), ms)
    await Promise.race([this.#lanes.idle(), once(this.#stopped.signal, 'abort')])
    clearTimeout(timer)
    this.#stopped.abort()
  }

  /** For a delivery that is recorded and whose turn it is. */
  async run(bot: string, payload: Payload, facts: DeliveryFacts): Promise<Answer> {
    const { id } = facts
    this.#running.add(id)
    try {
      // Stopped while this one waited its turn: it waits on disk until the bot is started.
      if ((this.#options.bots.get(bot)?.status ?? 'active') !== 'active') return answerQueued(id)
      const prepared = await this.prepare(bot, payload, facts)
      // We did not wait for it, and its worker may have been ended: no fault of the handler. The next start runs it again.
      if (this.#stopped.signal.aborted) throw new StoreFailure('closed', 'the server stopped first')
      return await this.#settle(id, prepared)
    } finally {
      this.#running.delete(id)
    }
  }

  async prepare(name: string, payload: Payload, facts: DeliveryFacts): Promise<Prepared> {
    const { bots, log, poster } = this.#options
    const { id } = facts
    const bot = bots.get(name)
    if (!bot) return this.#fail(name, id, 'the bot was deleted')
    try {
      const composed = await bots.compose(bot, payload, facts)
      if (composed.kind === 'message' && composed.unresolved.length > 0) {
        log.warn(
          { bot: name, id, unresolved: composed.unresolved },
          'the payload lacks what the template names, so all of it was posted',
        )
      }
      // It may have been stopped or edited meanwhile.
      return poster.prepare(bots.get(name) ?? bot, composed, id)
    } catch (error) {
      log.error({ err: error, bot: name, id }, 'a delivery failed through a fault of ours')
      return this.#fail(name, id, 'a fault in hookline: see the log')
    }
  }

  /** Waits for the record of what was prepared; until then nobody else hands its letters over. */
  async recorded<T>({ letters }: Prepared, written: Promise<T>): Promise<T> {
    const { mailbox } = this.#options
    mailbox.hold(letters)
    try {
      return await written
    } catch (error) {
      mailbox.release(letters)
      throw error
    }
  }

  tell({ drafts, letters }: Prepared): void {
    const { chat, mailbox } = this.#options
    for (const draft of drafts) chat.publish(draft)
    mailbox.handOver(letters)
  }

  async #settle(id: string, prepared: Prepared): Promise<Answer> {
    await this.recorded(prepared, this.#finish(id, prepared.outcome))
    this.tell(prepared)
    return answerOutcome(id, prepared.outcome, prepared.message)
  }

  #fail(name: string, id: string, error: string): Prepared {
    const { bots, poster } = this.#options
    return poster.fail(bots.get(name) ?? gone(name), id, error)
  }

  // The handler has run and must not run again because the disk is full for a while.
  async #finish(id: string, outcome: Outcome): Promise<void> {
    for (;;) {
      try {
        await this.#options.store.deliveries.finish(id, outcome)
        return
      } catch (error) {
        if (!(error instanceof StoreFailure) || error.reason === 'job' || error.reason === 'closed')
          throw error
        if (this.#stopped.signal.aborted) throw error
        await pause(this.#options.retryMs ?? 1_000, undefined, this.#stopped).catch(() => {})
      }
    }
  }
}

/**
 * A delivery that ends the process each time must not do so for ever. But a process is also ended many times by what
 * has nothing to do with the delivery that happened to run, and none of those may be given up.
 */
const mostAttempts = 100

function gone(name: string): Bot {
  return {
    name,
    folder: '',
    settings: undefined,
    status: 'invalid',
    problems: [],
    warnings: [],
    handler: undefined,
    user: undefined,
  }
}
