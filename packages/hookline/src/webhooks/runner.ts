// Runs recorded deliveries, each bot's in order: composes the message, then settles or holds it.
import { once } from 'node:events'
import type { Bots } from '../bots/bots.ts'
import type { Composed, DeliveryFacts } from '../message/composed.ts'
import type { Log } from '../log/log.ts'
import { parsePayload, type Payload } from '../message/payload.ts'
import type { Delivery, DeliveryRecord } from '../store/deliveryrows.ts'
import { insist, type Insisting } from '../store/retrywrites.ts'
import type { Store } from '../store/store.ts'
import { type Answer, answerQueued, refuse } from './answer.ts'
import { Gatherer } from './gatherer.ts'
import { Lanes } from './lanes.ts'
import { lateMark } from './message.ts'
import type { Poster } from './poster.ts'
import { LogThrottle } from '../log/logthrottle.ts'
import type { Settler } from './settler.ts'
import { Tally } from '../net/tally.ts'

export interface RunnerOptions extends Pick<Insisting, 'retryMs'> {
  readonly bots: Pick<Bots, 'get' | 'compose' | 'render'>
  readonly store: Store
  readonly log: Log
  readonly poster: Poster
  readonly settler: Settler
  readonly now: () => number
  /** Aborted when running deliveries are no longer waited for. */
  readonly stopped: AbortController
}

type RecordedFacts = DeliveryFacts & Pick<DeliveryRecord, 'receivedAt'>

interface RerunOptions {
  /** The most attempts. */
  readonly most: number
  /** Whether its message may be held, to be sent together with others. */
  readonly mayWait: boolean
  /** Called when its outcome is on its way to the disk. */
  readonly onSettling?: (() => void) | undefined
}

export class Runner {
  readonly #options: RunnerOptions
  readonly #lanes = new Lanes()
  /** Recorded deliveries to be run here, with the number of claims. */
  readonly #claims = new Tally<string>()
  /** Replays whose turn has not come: their records still have the outcome of before. */
  readonly #replays = new Set<string>()
  /**
   * Deleted bots whose accepted deliveries have no outcome yet: whatever still has its turn was theirs. With how many of
   * one name there are.
   */
  readonly #abandoned = new Tally<string>()
  /** Missing payload fields already logged, by bot. */
  readonly #missingTokens = new LogThrottle()
  /** Holds messages that may not be sent yet. */
  readonly gatherer: Gatherer

  constructor(options: RunnerOptions) {
    this.#options = options
    this.gatherer = new Gatherer({
      ...options,
      inTurn: (bot, work) => this.#lanes.run(bot, 0, work),
      settle: (bot, settled) => options.settler.settleAll(bot, settled),
      isAbandoned: (bot) => this.#abandoned.has(bot),
      report: (error, bot) =>
        options.log.error({ err: error, bot }, 'deliveries that waited are left for the next start'),
    })
  }

  /** Whether too much is waiting already for one more of that size. */
  isFull(bot: string, bytes: number): boolean {
    return this.#lanes.isFull(bot, bytes)
  }

  /** Runs `work` after everything that came before it for this bot. */
  inTurn<T>(bot: string, bytes: number, work: () => Promise<T>): Promise<T> {
    return this.#lanes.run(bot, bytes, work)
  }

  /** The same for instant work: it runs at once if nothing waits for this bot. */
  inTurnOrNow<T>(bot: string, bytes: number, work: () => T): T | Promise<T> {
    return this.#lanes.isFree(bot) ? work() : this.#lanes.run(bot, bytes, async () => work())
  }

  /** Whether it will have its turn here, or is held. */
  isRunning(id: string): boolean {
    return this.#claims.has(id) || this.gatherer.has(id)
  }

  /**
   * Call before each run of a pending delivery, so that a start of the bot does not resume it as well. Ends with the
   * run.
   */
  claim(id: string): void {
    this.#claims.add(id)
  }

  /** It was claimed, but is not run. */
  unclaim(id: string): void {
    this.#claims.remove(id)
  }

  /** For a recorded and claimed delivery whose turn it is. */
  async run(bot: string, payload: Payload, facts: RecordedFacts): Promise<Answer> {
    try {
      return await this.#run(bot, payload, facts, { mayWait: true })
    } finally {
      this.unclaim(facts.id)
    }
  }

  /** Runs a recorded delivery again, in its bot's turn, and sends its message at once. */
  replay(id: string, bot: string): Promise<Answer> {
    const { deliveries } = this.#options.store
    this.claim(id)
    this.#replays.add(id)
    return this.inTurn(bot, 0, () => {
      const reopened = deliveries.reopen(id).finally(() => this.#replays.delete(id))
      return this.#rerun(id, bot, reopened, { most: Infinity, mayWait: false })
    })
  }

  /** Whether a replay of it waits its turn, and will run it whatever becomes of its record meanwhile. */
  willReplay(id: string): boolean {
    return this.#replays.has(id)
  }

  /** A failed delivery was sent again: it is pending, and claimed. */
  repeat(id: string, bot: string): Promise<Answer> {
    const { deliveries } = this.#options.store
    const options = { most: Infinity, mayWait: true }
    return this.inTurn(bot, 0, () => this.#rerun(id, bot, deliveries.get(id), options))
  }

  /** Counts one more attempt of a delivery without an outcome. Nobody else would run it before the next start of its bot. */
  reopen(id: string): Promise<Delivery | undefined> {
    const { stopped, store, retryMs } = this.#options
    const reopened = insist(() => store.deliveries.reopen(id), { stopped: stopped.signal, retryMs })
    reopened.catch(() => {}) // by whoever resumes it, if anybody does
    return reopened
  }

  /**
   * For a claimed delivery without an outcome, in its turn, once it is reopened. True if it still waits on disk because the
   * bot or the server was stopped. `onSettling` is called when its outcome is on its way to the disk: what is asked of the store then
   * shares its commit.
   */
  async resume(
    id: string,
    bot: string,
    reopened: Promise<Delivery | undefined>,
    onSettling: () => void,
  ): Promise<boolean> {
    const { log, stopped } = this.#options
    try {
      const options = { most: MOST_ATTEMPTS, mayWait: true, onSettling }
      const { body } = await this.#rerun(id, bot, reopened, options)
      return 'status' in body && body.status === 'queued' && !this.gatherer.has(id)
    } catch (error) {
      log.error({ err: error, id }, 'a delivery could not be resumed')
      return stopped.signal.aborted
    }
  }

  async #rerun(
    id: string,
    bot: string,
    read: Promise<Delivery | undefined>,
    { most, mayWait, onSettling }: RerunOptions,
  ): Promise<Answer> {
    try {
      const delivery = await read
      if (!delivery?.body) return refuse(410, 'the body of this delivery is no longer kept')
      const parsed = parsePayload(delivery.body)
      if (parsed.ok && delivery.attempts <= most)
        return await this.#run(bot, parsed.payload, delivery, { mayWait, onSettling })
      const reason = parsed.ok
        ? `it was started ${most} times and never finished`
        : `${parsed.error}: ${parsed.detail}`
      return await this.#settle(bot, id, { kind: 'failed', error: reason }, onSettling)
    } finally {
      this.unclaim(id)
    }
  }

  #settle(bot: string, id: string, composed: Composed, onSettling?: () => void): Promise<Answer> {
    const settled = this.#options.settler.settle(bot, id, composed)
    onSettling?.()
    return settled
  }

  async #run(
    bot: string,
    payload: Payload,
    facts: RecordedFacts,
    { mayWait, onSettling }: Pick<RerunOptions, 'mayWait' | 'onSettling'>,
  ): Promise<Answer> {
    const { stopped } = this.#options
    const { id } = facts
    // It stays on disk until the bot starts or, if that was deleted, until it is given up.
    if (this.isStopped(bot) || this.#abandoned.has(bot)) return answerQueued(id)
    const composed = this.#dated(await this.#compose(bot, payload, facts), facts)
    // If the server is stopping, its worker may have been ended: not the handler's fault. The next start runs it again.
    if (stopped.signal.aborted || this.#abandoned.has(bot)) return answerQueued(id)
    if (mayWait && composed.kind === 'message' && !this.gatherer.maySay(bot, composed)) {
      this.gatherer.hold(bot, { id, message: composed, event: facts.event, recorded: Promise.resolve(true) })
      return answerQueued(id)
    }
    return await this.#settle(bot, id, composed, onSettling)
  }

  /** Whether the bot was stopped while a delivery waited its turn. */
  isStopped(name: string): boolean {
    const bot = this.#options.bots.get(name)
    return bot !== undefined && bot.status !== 'active'
  }

  /** Composes for a bot without a handler: see `Bots`. Never throws. */
  render(name: string, payload: Payload, facts: DeliveryFacts, problem: string | undefined): Composed {
    const { bots } = this.#options
    const bot = bots.get(name)
    if (!bot || this.#abandoned.has(name)) return DELETED
    try {
      return this.#noted(bots.render(bot, payload, facts, problem), name, facts.id)
    } catch (error) {
      return this.#faulty(error, name, facts.id)
    }
  }

  async #compose(name: string, payload: Payload, facts: DeliveryFacts): Promise<Composed> {
    const { bots } = this.#options
    const bot = bots.get(name)
    if (!bot) return DELETED
    try {
      return this.#noted(await bots.compose(bot, payload, facts), name, facts.id)
    } catch (error) {
      return this.#faulty(error, name, facts.id)
    }
  }

  /** Hours after a replay or a start of the bot, nobody could tell that it is old news. */
  #dated(composed: Composed, { receivedAt }: RecordedFacts): Composed {
    if (composed.kind !== 'message' || this.#options.now() - receivedAt <= LATE_MS) return composed
    return { ...composed, text: lateMark(receivedAt) + composed.text }
  }

  #noted(composed: Composed, bot: string, id: string): Composed {
    if (composed.kind !== 'message' || composed.unresolved.length === 0) return composed
    const { log, now } = this.#options
    const { unresolved, composedBy } = composed
    const more = this.#missingTokens.admit([bot, ...unresolved].join(' '), now())
    if (more)
      log.warn(
        { bot, id, ...more, unresolved, composedBy },
        'the payload lacks values that the template uses',
      )
    return composed
  }

  #faulty(error: unknown, bot: string, id: string): Composed {
    this.#options.log.error({ err: error, bot, id }, 'a delivery failed because of a bug in hookline')
    return { kind: 'failed', error: 'a bug in hookline: see the log' }
  }

  /** For a deleted bot nothing more is run or sent; `giveUp` runs after all that waited. */
  async abandon(bot: string, giveUp: () => Promise<void>): Promise<void> {
    this.#abandoned.add(bot)
    this.gatherer.forget(bot)
    await this.inTurn(bot, 0, async () => {
      try {
        await giveUp()
      } finally {
        this.#abandoned.remove(bot)
      }
    })
  }

  /** Resolves when nothing runs any more and all of it is shown, or after `ms`. The rest is resumed at the next start. */
  async drain(ms: number): Promise<void> {
    const { poster, settler, stopped } = this.#options
    this.gatherer.flush()
    const timer = setTimeout(() => stopped.abort(), ms)
    // What is written with its outcome has no lane; if no sender waits for it, nobody else does.
    const shown = this.#lanes.idle().then(() => settler.told())
    await Promise.race([shown, once(stopped.signal, 'abort')])
    clearTimeout(timer)
    stopped.abort()
    await poster.flush()
  }
}

/**
 * A delivery that crashes the process each time must not do so for ever. But processes also end for unrelated reasons,
 * and the delivery that happened to run must not be given up for those.
 */
const MOST_ATTEMPTS = 100

/** What is posted later than this says when it came. */
const LATE_MS = 5 * 60_000

const DELETED: Composed = { kind: 'failed', error: 'the bot was deleted' }
