// What becomes of a webhook once it is known to be genuine: composed, recorded, told, answered.
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import type { Bot, Bots, Logger } from '../bots/bots.ts'
import { parsePayload } from '../bots/payload.ts'
import type { Payload } from '../bots/payload.ts'
import type { VirtualUsers } from '../chat/virtual.ts'
import { StoreFailure } from '../store/failure.ts'
import type { Begun, NewDelivery, Outcome, Store } from '../store/store.ts'
import {
  answerDuplicate,
  answerOutcome,
  answerQueued,
  notActive,
  refuse,
  refuseForNow,
  shuttingDown,
} from './answer.ts'
import type { Answer } from './answer.ts'
import { bodyHash } from './dedupe.ts'
import { Lanes } from './lanes.ts'
import { Mailbox } from './mailbox.ts'
import type { Metrics } from './metrics.ts'
import { Poster } from './poster.ts'
import type { Prepared } from './poster.ts'

export interface DeliveriesOptions {
  readonly bots: Pick<Bots, 'get' | 'compose' | 'usesHandler'>
  readonly chat: VirtualUsers
  readonly store: Store
  readonly serverName: string
  readonly log: Logger
  readonly metrics: Metrics
  readonly now: () => number
  /** Makes ids of deliveries; see `newDeliveryId`. */
  readonly newId: () => string
  /** Makes msgids, for messages that are said later. */
  readonly newMessageId: () => string
  /** Lines that one delivery may say in one place, the last one included that says how many were cut. */
  readonly maxLines?: number
  /** After this long a sender hears `queued`. GitHub waits 10 s. */
  readonly answerWithinMs?: number
  /** How long to wait before an outcome that the disk refused is written again. */
  readonly retryMs?: number
}

export interface Incoming {
  /** What the sender calls this delivery; null: never a duplicate. */
  readonly key: string | null
  readonly event: string | null
  /** JSON, as it came. */
  readonly body: Uint8Array
  readonly receivedAt: number
}

/**
 * A message is shown only after its record is on disk: shown before, it would be shown again when the sender, who
 * heard nothing, tries again. Deliveries of one bot are told in the order in which they were accepted.
 */
export class Deliveries {
  readonly #options: DeliveriesOptions
  readonly #poster: Poster
  readonly #mailbox: Mailbox
  readonly #lanes = new Lanes()
  /** Recorded, and on their way in this process. */
  readonly #running = new Set<string>()
  readonly #stopped = new AbortController()
  #isDraining = false

  constructor(options: DeliveriesOptions) {
    const { chat, serverName, now, newMessageId, maxLines = 10 } = options
    this.#options = options
    this.#poster = new Poster({ chat, serverName, now, newMessageId, maxLines })
    this.#mailbox = new Mailbox(options)
  }

  /** A delivery that is known to be genuine. Rejects never. */
  async accept(bot: Bot, payload: Payload, incoming: Incoming): Promise<Answer> {
    if (this.#isDraining) return shuttingDown
    if (this.#lanes.isFull(bot.name, incoming.body.byteLength)) {
      return this.#counted(refuseForNow(429, 'too many deliveries wait for this bot', 5))
    }
    const { key, event, body, receivedAt } = incoming
    const hash = key === null ? null : bodyHash(body)
    const delivery = {
      id: this.#options.newId(),
      bot: bot.name,
      receivedAt,
      key,
      bodyHash: hash,
      event,
      body,
    }
    try {
      return this.#counted(
        await (this.#options.bots.usesHandler(bot)
          ? this.#queue(delivery, payload)
          : this.#post(delivery, payload)),
      )
    } catch (error) {
      return this.#counted(this.#refused(error, bot.name))
    }
  }

  /** Runs a recorded delivery again under its own id, with the bot as it is now. */
  async replay(id: string): Promise<Answer> {
    if (this.#isDraining) return shuttingDown
    try {
      const known = await this.#options.store.deliveries.get(id)
      if (!known)
        return refuse(404, 'no such delivery', `see hookline bot deliveries for those that are kept`)
      if (this.#running.has(id)) return refuse(409, 'the delivery is still running')
      if (!known.body) return refuse(410, 'the body of this delivery is no longer kept')
      if (this.#options.bots.get(known.bot)?.status !== 'active') return notActive
      return this.#counted(await this.#inTime(id, this.#again(id, known.bot)))
    } catch (error) {
      return this.#refused(error, id)
    }
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
        this.#again(id, name, mostAttempts).catch((error: unknown) =>
          log.error({ err: error, id }, 'a delivery could not be resumed'),
        )
      } else left.set(name, (left.get(name) ?? 0) + 1)
    }
    for (const [name, count] of left) {
      log.warn({ bot: name, count }, `deliveries wait for this bot: run hookline bot start ${name}`)
    }
  }

  /** To be called when a nick connects: sends what was kept for it. What cannot be read now stays kept. */
  async deliverKept(nick: string): Promise<void> {
    try {
      await this.#mailbox.deliverKept(nick)
    } catch (error) {
      this.#options.log.warn(
        { err: error, nick },
        'kept messages could not be read: they come when the nick connects again',
      )
    }
  }

  /** Accepts nothing more; resolves when what was accepted is answered, or after `ms`. The rest is resumed at the next start. */
  async drain(ms = 10_000): Promise<void> {
    this.#isDraining = true
    const timer = setTimeout(() => this.#stopped.abort(), ms)
    await Promise.race([this.#lanes.idle(), once(this.#stopped.signal, 'abort')])
    clearTimeout(timer)
    this.#stopped.abort()
  }

  // Template bots: nothing slow happens before the record, so that one transaction holds all of it.
  async #post(delivery: NewDelivery, payload: Payload): Promise<Answer> {
    const { store } = this.#options
    const { id, bot } = delivery
    // Only composing waits its turn: commits keep the order they were asked for, many of them in one.
    const { prepared, begun } = await this.#lanes.run(bot, delivery.body.byteLength, async () => {
      const prepared = await this.#prepare(bot, payload, id)
      return {
        prepared,
        begun: this.#recorded(prepared, store.deliveries.record(delivery, prepared.outcome)),
      }
    })
    const result = await begun
    switch (result.kind) {
      case 'new':
        this.#tell(prepared)
        return answerOutcome(id, prepared.outcome, prepared.message)
      case 'duplicate':
        this.#mailbox.release(prepared.letters)
        return answerDuplicate(result.row)
      case 'retry':
        this.#mailbox.release(prepared.letters)
        return await this.#inTime(
          result.id,
          this.#enter(result.id, bot, () => this.#run(result.id, bot, payload)),
        )
    }
  }

  // Handler bots: recorded first, for a handler may take its time and may take the process with it.
  async #queue(delivery: NewDelivery, payload: Payload): Promise<Answer> {
    const { bot } = delivery
    const begun = this.#options.store.deliveries.begin(delivery)
    const answer = this.#enter(
      delivery.id,
      bot,
      () => this.#afterBegin(begun, delivery, payload),
      delivery.body.byteLength,
    )
    answer.catch(() => {}) // told through `begun`, or in time below
    const result = await begun
    if (result.kind === 'duplicate') return answerDuplicate(result.row)
    // It is pending once more and waits its turn: starting the bot now must not resume it as well.
    if (result.kind === 'retry') this.#running.add(result.id)
    return await this.#inTime(result.kind === 'retry' ? result.id : delivery.id, answer)
  }

  async #afterBegin(begun: Promise<Begun>, { id, bot }: NewDelivery, payload: Payload): Promise<Answer> {
    const result = await begun
    switch (result.kind) {
      case 'new':
        return await this.#run(id, bot, payload)
      case 'duplicate':
        return answerDuplicate(result.row)
      case 'retry':
        return await this.#run(result.id, bot, payload)
    }
  }

  #again(id: string, bot: string, most = Infinity): Promise<Answer> {
    return this.#enter(id, bot, async () => {
      const delivery = await this.#options.store.deliveries.reopen(id)
      if (!delivery?.body) return refuse(410, 'the body of this delivery is no longer kept')
      const parsed = parsePayload(delivery.body)
      if (parsed.ok && delivery.attempts <= most) return await this.#run(id, bot, parsed.payload)
      const reason = parsed.ok
        ? `it was started ${most} times and never ended`
        : `${parsed.error}: ${parsed.detail}`
      return await this.#settle(id, this.#fail(bot, id, reason))
    })
  }

  async #enter(id: string, bot: string, work: () => Promise<Answer>, bytes = 0): Promise<Answer> {
    this.#running.add(id)
    try {
      return await this.#lanes.run(bot, bytes, work)
    } finally {
      this.#running.delete(id)
    }
  }

  async #run(id: string, bot: string, payload: Payload): Promise<Answer> {
    this.#running.add(id)
    try {
      // Stopped while this one waited its turn: it waits on disk until the bot is started.
      if ((this.#options.bots.get(bot)?.status ?? 'active') !== 'active') return answerQueued(id)
      const prepared = await this.#prepare(bot, payload, id)
      // We did not wait for it, and its worker may have been ended: no fault of the handler. The next start runs it again.
      if (this.#stopped.signal.aborted) throw new StoreFailure('closed', 'the server stopped first')
      return await this.#settle(id, prepared)
    } finally {
      this.#running.delete(id)
    }
  }

  async #settle(id: string, prepared: Prepared): Promise<Answer> {
    await this.#recorded(prepared, this.#finish(id, prepared.outcome))
    this.#tell(prepared)
    return answerOutcome(id, prepared.outcome, prepared.message)
  }

  async #prepare(name: string, payload: Payload, id: string): Promise<Prepared> {
    const { bots, log } = this.#options
    const bot = bots.get(name)
    if (!bot) return this.#fail(name, id, 'the bot was deleted')
    try {
      const composed = await bots.compose(bot, payload, { id })
      if (composed.kind === 'message' && composed.unresolved.length > 0) {
        log.warn(
          { bot: name, id, unresolved: composed.unresolved },
          'the payload lacks what the template names, so all of it was posted',
        )
      }
      // It may have been stopped or edited meanwhile.
      return this.#poster.prepare(bots.get(name) ?? bot, composed, id)
    } catch (error) {
      log.error({ err: error, bot: name, id }, 'a delivery failed through a fault of ours')
      return this.#fail(name, id, 'a fault in hookline: see the log')
    }
  }

  #fail(name: string, id: string, error: string): Prepared {
    const bot = this.#options.bots.get(name) ?? gone(name)
    return this.#poster.fail(bot, id, error)
  }

  async #recorded<T>(prepared: Prepared, written: Promise<T>): Promise<T> {
    this.#mailbox.hold(prepared.letters)
    try {
      return await written
    } catch (error) {
      this.#mailbox.release(prepared.letters)
      throw error
    }
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

  #tell({ drafts, letters }: Prepared): void {
    for (const draft of drafts) this.#options.chat.publish(draft)
    this.#mailbox.handOver(letters)
  }

  async #inTime(id: string, answer: Promise<Answer>): Promise<Answer> {
    answer.catch((error: unknown) =>
      this.#options.log.error({ err: error, id }, 'a delivery is left for the next start'),
    )
    const late = Promise.withResolvers<Answer>()
    const timer = setTimeout(() => late.resolve(answerQueued(id)), this.#options.answerWithinMs ?? 5_000)
    try {
      return await Promise.race([answer, late.promise])
    } finally {
      clearTimeout(timer)
    }
  }

  #refused(error: unknown, what: string): Answer {
    if (error instanceof StoreFailure && error.reason !== 'job') {
      if (error.reason === 'closed') return shuttingDown
      return refuseForNow(503, storageErrors[error.reason], 10)
    }
    this.#options.log.error({ err: error, what }, 'a delivery could not be recorded')
    return refuse(500, 'internal error')
  }

  #counted(answer: Answer): Answer {
    const { body } = answer
    this.#options.metrics.delivered('ok' in body ? body.status : answer.status === 500 ? 'failed' : 'refused')
    return answer
  }
}

const storageErrors = {
  full: 'storage is full',
  broken: 'storage does not work',
  busy: 'storage is busy',
} as const

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
