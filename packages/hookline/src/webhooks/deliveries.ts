// What happens to a genuine webhook: accepted or refused, recorded, answered. The runner executes it.
import type { Bots } from '../bots/bots.ts'
import type { FoundHandler } from '../handlers/find.ts'
import type { Log } from '../log/log.ts'
import type { Payload } from '../message/payload.ts'
import type { Bot } from '../bots/roster.ts'
import type { Removed } from '../bots/trash.ts'
import type { Rate } from '../chat/bucket.ts'
import type { VirtualUsers } from '../chat/virtual.ts'
import { crashPoint } from '../process/crashpoint.ts'
import type { NewDelivery } from '../store/deliveryrows.ts'
import { type FailureReason, StoreFailure } from '../store/failure.ts'
import type { Insisting } from '../store/retrywrites.ts'
import type { Store } from '../store/store.ts'
import {
  absent,
  type Answer,
  answerAll,
  answerDuplicate,
  refuse,
  refuseForNow,
  shuttingDown,
} from './answer.ts'
import { inTime } from './answertimeout.ts'
import { Mailbox } from './mailbox.ts'
import type { Metrics } from './metrics.ts'
import type { Later } from './noticelimits.ts'
import { Poster } from './poster.ts'
import { RateLimits } from './ratelimits.ts'
import { Recorder } from './recorder.ts'
import { Resumer } from './resumer.ts'
import { Runner } from './runner.ts'
import { Settler } from './settler.ts'
import type { DeliveryObserver } from './observer.ts'

export interface DeliveriesOptions extends Pick<Insisting, 'retryMs'> {
  readonly bots: Pick<Bots, 'get' | 'compose' | 'render' | 'handlerSoonOf' | 'removed' | 'allRemoved'>
  readonly chat: VirtualUsers
  readonly store: Store
  readonly serverName: string
  readonly log: Log
  readonly metrics: Metrics
  readonly now: () => number
  readonly later: Later
  /** Generates delivery ids; see `newDeliveryId`. */
  readonly newId: () => string
  /** Generates msgids, for messages that are sent later. */
  readonly newMessageId: () => string
  /** Lines that one delivery may send to one target, including the last one, which counts the lines cut. */
  readonly maxLines: number
  /** For bots that set no rate of their own. */
  readonly rate?: Rate | undefined
  /** After this long a sender is answered `queued`. */
  readonly answerWithinMs: number
  readonly observer?: DeliveryObserver
}

/** What came, before it has an id. */
export type Incoming = Omit<NewDelivery, 'id' | 'bot'>

/**
 * A message is shown only once its record is on disk: otherwise, if its sender got no answer and retries, it would be
 * shown twice. One bot's deliveries are shown in the order in which they were accepted; those that `burst` or `coalesce`
 * holds back, in that order for each destination.
 */
export class Deliveries {
  readonly #options: DeliveriesOptions
  readonly #mailbox: Mailbox
  readonly #settler: Settler
  readonly #runner: Runner
  readonly #recorder: Recorder
  readonly #resumer: Resumer
  readonly #limits: RateLimits
  #isDraining = false

  constructor(options: DeliveriesOptions) {
    this.#options = options
    const stopped = new AbortController()
    this.#mailbox = new Mailbox({ ...options, stopped: stopped.signal })
    this.#limits = new RateLimits(options.rate, options.now)
    const poster = new Poster({ ...options, send: (letter) => this.#mailbox.send(letter) })
    const settler = new Settler({ ...options, poster, mailbox: this.#mailbox, stopped: stopped.signal })
    const runner = new Runner({ ...options, poster, settler, stopped })
    this.#settler = settler
    this.#runner = runner
    this.#recorder = new Recorder({ ...options, poster, settler, runner })
    this.#resumer = new Resumer({ ...options, poster, settler, runner, stopped: stopped.signal })
  }

  /**
   * Takes a genuine delivery. Those that arrive in one turn of the event loop are processed together at its end: a
   * bot's handler is looked up once for all, and the same code runs for one after the other. Never rejects.
   */
  accept(bot: Bot, payload: Payload, incoming: Incoming): Promise<Answer> {
    return this.#accept(bot, payload, incoming, (present) =>
      this.#noRoom(present, incoming, incoming.body.byteLength),
    )
  }

  /** Takes several as one: either all are within the limits or none is accepted. They are processed in their order. */
  async acceptAll(bot: Bot, batch: readonly (readonly [Payload, Incoming])[]): Promise<Answer> {
    const [first] = batch
    if (!first) return answerAll([])
    const bytes = batch.reduce((sum, [, { body }]) => sum + body.byteLength, 0)
    const noRoom = this.#noRoom(bot, first[1], bytes, batch.length)
    if (noRoom) return this.#counted(bot, noRoom)
    const answers = await Promise.all(
      batch.map(([payload, incoming]) => this.#accept(bot, payload, incoming)),
    )
    // The sender sends all again, and those that were accepted are known by then.
    return answers.find(({ body }) => 'error' in body && body.id === undefined) ?? answerAll(answers)
  }

  async #accept(
    bot: Bot,
    payload: Payload,
    incoming: Incoming,
    refusalFor: (present: Bot) => Answer | undefined = () => undefined,
  ): Promise<Answer> {
    const { bots, store } = this.#options
    // What came before may still wait for the disk: this one would wait its turn.
    if (store.stuckMs > 0) return this.#counted(bot, stuck)
    try {
      const looking = bots.handlerSoonOf(bot)
      store.deliveries.expect()
      const found = await looking
      if (this.#isDraining) return shuttingDown
      // It may have left since whoever calls looked.
      const present = bots.get(bot.name)
      if (present?.status !== 'active') return this.#counted(bot, absent(present))
      return this.#counted(
        present,
        refusalFor(present) ?? (await this.#admit(present, payload, incoming, found)),
      )
    } catch (error) {
      this.#limits.giveBack(bot, incoming.headers)
      return this.#counted(bot, this.#refused(error, bot.name))
    }
  }

  #noRoom(bot: Bot, { headers }: Incoming, bytes: number, deliveries = 1): Answer | undefined {
    if (this.#runner.isFull(bot.name, bytes))
      return refuseForNow(429, 'too many deliveries wait for this bot', 5)
    const wait = this.#limits.waitFor(bot, headers, deliveries)
    if (wait === 0) return undefined
    return refuseForNow(429, 'too many deliveries for this bot', Math.ceil(wait / 1_000))
  }

  #admit(bot: Bot, payload: Payload, incoming: Incoming, found: FoundHandler): Promise<Answer> | Answer {
    const { newId, observer } = this.#options
    observer?.arrived(bot.name, incoming.headers)
    crashPoint('accepted')
    const delivery = { ...incoming, id: newId(), bot: bot.name }
    return found.handler
      ? this.#recorder.queue(delivery, payload)
      : this.#options.store.orStuck(this.#recorder.post(delivery, payload, found))
  }

  /**
   * Runs a recorded delivery again under its id, with the bot as it is now. `onlyFailed`: not if it has had another
   * outcome since it was listed as failed.
   */
  async replay(id: string, { onlyFailed = false } = {}): Promise<Answer> {
    if (this.#isDraining) return shuttingDown
    try {
      const known = await this.#options.store.deliveries.get(id)
      if (!known)
        return refuse(404, 'no such delivery', `see hookline bot deliveries for those that are kept`)
      if (this.#runner.isRunning(id)) return refuse(409, 'the delivery is still running')
      if (onlyFailed && known.status !== 'failed') return answerDuplicate(known)
      if (!known.body) return refuse(410, 'the body of this delivery is no longer kept')
      const bot = this.#options.bots.get(known.bot)
      if (bot?.status !== 'active') return absent(bot)
      return await inTime(id, this.#runner.replay(id, known.bot), this.#options)
    } catch (error) {
      return this.#refused(error, id)
    }
  }

  /** See `Resumer`. Once the server is stopping, everything is left for its next start. */
  async resumePending(bot?: string): Promise<void> {
    if (!this.#isDraining) await this.#resumer.resumePending(bot)
  }

  /** See `Resumer`. */
  forgetRemoved(): Promise<void> {
    return this.#resumer.forgetRemoved()
  }

  /** See `Resumer`. */
  abandon(bot: string, removed: Removed): Promise<void> {
    return this.#resumer.abandon(bot, removed)
  }

  /** See `Settler`. */
  told(): Promise<void> {
    return this.#settler.told()
  }

  /** Call when a nick connects: sends its kept messages. Those that cannot be read now stay kept. */
  async deliverKept(nick: string): Promise<void> {
    try {
      await this.#mailbox.deliverKept(nick)
    } catch (error) {
      this.#options.log.warn(
        { err: error, nick },
        'kept messages could not be read: they are delivered when the nick connects again',
      )
    }
  }

  /**
   * Accepts nothing more; resolves when everything accepted is answered, or after `ms`. The rest is resumed at the next
   * start.
   */
  async drain(ms = 10_000): Promise<void> {
    this.#isDraining = true
    crashPoint('draining')
    await this.#runner.drain(ms)
  }

  #refused(error: unknown, what: string): Answer {
    if (error instanceof StoreFailure && error.reason !== 'job') {
      if (error.reason === 'closed') return shuttingDown
      return error.reason === 'stuck' ? stuck : refuseForNow(503, storageError(error.reason), 10)
    }
    this.#options.log.error({ err: error, what }, 'a delivery could not be recorded')
    return refuse(500, 'internal error')
  }

  /** What has an outcome of its own is counted with that, and what is refused by whoever refuses it. */
  #counted({ name }: Bot, answer: Answer): Answer {
    const { body } = answer
    if ('status' in body && body.status === 'duplicate') this.#options.metrics.delivered(name, 'duplicate')
    return answer
  }
}

const stuck = refuseForNow(503, 'storage does not answer', 10)

function storageError(reason: FailureReason): string {
  if (reason === 'full' || reason === 'busy') return `storage is ${reason}`
  return 'storage does not work'
}
