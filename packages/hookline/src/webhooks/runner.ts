// Runs what is recorded, one bot's deliveries in their order: composes it, and settles it or holds it.
import { once } from 'node:events'
import type { Bots, Composed, DeliveryFacts, Logger, Removed } from '../bots/bots.ts'
import { parsePayload } from '../bots/payload.ts'
import type { Payload } from '../bots/payload.ts'
import { StoreFailure } from '../store/failure.ts'
import type { Delivery, PendingRow, Store } from '../store/store.ts'
import { answerQueued, refuse } from './answer.ts'
import type { Answer } from './answer.ts'
import { Gatherer } from './gatherer.ts'
import type { Held } from './gatherer.ts'
import { Lanes } from './lanes.ts'
import type { Message, Poster } from './poster.ts'
import { Seldom } from './seldom.ts'
import type { Settler } from './settler.ts'

export interface RunnerOptions {
  readonly bots: Pick<Bots, 'get' | 'compose' | 'removed'>
  readonly store: Store
  readonly log: Logger
  readonly poster: Poster
  readonly settler: Settler
  readonly now: () => number
  /** Aborted when nobody waits for what runs any more. */
  readonly stopped: AbortController
}

type Pending = ReadonlyMap<string, readonly PendingRow[]>

interface Limits {
  /** Of times that it was begun. */
  readonly most: number
  /** Whether its message may be held, to be told together with others. */
  readonly mayWait: boolean
}

export class Runner {
  readonly #options: RunnerOptions
  readonly #lanes = new Lanes()
  /** Recorded, and to be run here: how often each. */
  readonly #claims = new Map<string, number>()
  /** Deleted, and what they had accepted has no outcome yet: whatever still has its turn was theirs. */
  readonly #abandoned = new Set<string>()
  /** What payloads lack, by bot. */
  readonly #lacking = new Seldom()
  readonly #gatherer: Gatherer
  /** A reading that is under way. */
  #lastPending: Promise<unknown> = Promise.resolve()
  /** One that has not begun. */
  #nextPending: Promise<Pending> | undefined

  constructor(options: RunnerOptions) {
    this.#options = options
    this.#gatherer = new Gatherer({
      ...options,
      inTurn: (bot, work) => this.#lanes.run(bot, 0, work),
      settle: (bot, settled) => options.settler.settleAll(bot, settled),
      report: (error, bot) =>
        options.log.error({ err: error, bot }, 'deliveries that waited are left for the next start'),
    })
  }

  /** Whether too much waits already for one more of that size. */
  isFull(bot: string, bytes: number): boolean {
    return this.#lanes.isFull(bot, bytes)
  }

  isRunning(id: string): boolean {
    return this.#claims.has(id) || this.#gatherer.has(id)
  }

  /** To be called before each run of what is pending: starting the bot meanwhile must not resume it as well. Ends with the run. */
  claim(id: string): void {
    this.#claims.set(id, (this.#claims.get(id) ?? 0) + 1)
  }

  #unclaim(id: string): void {
    const others = (this.#claims.get(id) ?? 1) - 1
    if (others > 0) this.#claims.set(id, others)
    else this.#claims.delete(id)
  }

  /** Runs `work` after everything that came before it for this bot. */
  inTurn<T>(bot: string, bytes: number, work: () => Promise<T>): Promise<T> {
    return this.#lanes.run(bot, bytes, work)
  }

  /** Whether the bot may say one more message now; if not, the message is for `hold`. To be asked in the bot's turn. */
  maySay(bot: string, message: Message): boolean {
    return this.#gatherer.maySay(bot, message)
  }

  /** Keeps a message to tell it later, together with others. */
  hold(bot: string, held: Held): void {
    this.#gatherer.hold(bot, held)
  }

  /** Runs a recorded delivery again, in its bot's turn, and tells it at once. */
  replay(id: string, bot: string): Promise<Answer> {
    this.claim(id)
    return this.inTurn(bot, 0, () => this.#again(id, bot, { most: Infinity, mayWait: false }))
  }

  /** What failed has come once more: since then it is pending, and claimed. */
  repeat(id: string, bot: string): Promise<Answer> {
    const { deliveries } = this.#options.store
    const limits = { most: Infinity, mayWait: true }
    return this.inTurn(bot, 0, () => this.#rerun(id, bot, deliveries.get(id), limits))
  }

  #again(id: string, bot: string, limits: Limits): Promise<Answer> {
    return this.#rerun(id, bot, this.#options.store.deliveries.reopen(id), limits)
  }

  async #rerun(
    id: string,
    bot: string,
    read: Promise<Delivery | undefined>,
    { most, mayWait }: Limits,
  ): Promise<Answer> {
    try {
      const delivery = await read
      if (!delivery?.body) return refuse(410, 'the body of this delivery is no longer kept')
      const parsed = parsePayload(delivery.body)
      if (parsed.ok && delivery.attempts <= most)
        return await this.#run(bot, parsed.payload, delivery, mayWait)
      const reason = parsed.ok
        ? `it was started ${most} times and never ended`
        : `${parsed.error}: ${parsed.detail}`
      return await this.#options.settler.settle(bot, id, { kind: 'failed', error: reason })
    } finally {
      this.#unclaim(id)
    }
  }

  /**
   * What was accepted and has no outcome runs again, in the order it came, before anything new of that bot. To be
   * called before the listener opens, and for one bot as it is started. Resolves when all of it is queued.
   */
  async resumePending(bot?: string): Promise<void> {
    if (bot !== undefined) return this.#resume(bot, () => this.#pending())
    const pending = await this.#pending()
    for (const name of pending.keys()) this.#resume(name, async () => pending)
  }

  /** Takes the bot's turn at once: what is new waits until we know what is old. */
  #resume(name: string, read: () => Promise<Pending>): void {
    const { bots, log } = this.#options
    const resumed = this.#lanes.run(name, 0, async () => {
      const rows = (await read()).get(name) ?? []
      const removed = this.#removed(name)
      const waiting = rows.filter(({ receivedAt }) => receivedAt > removed.at)
      if (waiting.length < rows.length) await this.#giveUp(name, removed)
      const idle = waiting.filter(({ id }) => !this.isRunning(id))
      if (bots.get(name)?.status === 'active') return await this.#runAll(name, idle)
      if (idle.length === 0) return
      const text = `deliveries wait for this bot: run hookline bot start ${name}`
      log.warn({ bot: name, count: idle.length }, text)
    })
    resumed.catch((error: unknown) =>
      log.error({ err: error, bot: name }, 'what it had accepted is left for the next start'),
    )
  }

  async #runAll(bot: string, rows: readonly PendingRow[]): Promise<void> {
    for (const { id } of rows) this.claim(id)
    let begun = 0
    for (const { id } of rows) {
      begun++
      const isLeft = await this.#isLeft(id, bot)
      // Stopped meanwhile: with the next start all that is left comes in its order.
      if (isLeft) break
    }
    for (const { id } of rows.slice(begun)) this.#unclaim(id)
  }

  /** Runs it again; true where it waits on disk as before, for its bot or the server was stopped. */
  async #isLeft(id: string, bot: string): Promise<boolean> {
    try {
      const { body } = await this.#again(id, bot, { most: mostAttempts, mayWait: true })
      return 'status' in body && body.status === 'queued' && !this.#gatherer.has(id)
    } catch (error) {
      this.#options.log.error({ err: error, id }, 'a delivery could not be resumed')
      return this.#options.stopped.signal.aborted
    }
  }

  /** To be called when a bot is deleted: what it had accepted has failed, and its owner hears of it once. */
  async abandon(bot: string, removed: Removed): Promise<void> {
    this.#abandoned.add(bot)
    this.#gatherer.forget(bot)
    await this.#lanes.run(bot, 0, async () => {
      try {
        await this.#giveUp(bot, removed)
      } finally {
        this.#abandoned.delete(bot)
      }
    })
  }

  /** By bot. One reading serves all who ask while another is under way: a reload asks for each bot, and a hundred thousand may wait. */
  #pending(): Promise<Pending> {
    const { deliveries } = this.#options.store
    if (this.#nextPending === undefined) {
      const next = this.#lastPending.then(async () => {
        this.#nextPending = undefined
        return Map.groupBy(await deliveries.pending(), (row) => row.bot)
      })
      this.#nextPending = next
      this.#lastPending = next.catch(() => {})
    }
    return this.#nextPending
  }

  /** A bot of the same name may exist by now: what came later is for that one. */
  async #giveUp(bot: string, { owner, at }: Removed): Promise<void> {
    const { log, poster, settler } = this.#options
    const pending = (await this.#pending()).get(bot) ?? []
    const lost = pending.filter(({ id, receivedAt }) => receivedAt <= at && !this.isRunning(id))
    const ids = lost.map(({ id }) => id)
    if (ids.length === 0) return
    log.warn({ bot, count: ids.length }, 'deliveries have failed: their bot was deleted')
    await settler.settleAll(bot, poster.giveUp(bot, owner, ids))
  }

  /** What came until then was for a bot that is gone. */
  #removed(name: string): Removed {
    const { bots } = this.#options
    const { owner, at } = bots.removed(name) ?? { owner: undefined, at: -Infinity }
    return { owner, at: bots.get(name) ? at : Infinity }
  }

  /** Resolves when nothing runs any more, or after `ms`. What is left is resumed at the next start. */
  async drain(ms: number): Promise<void> {
    const { poster, stopped } = this.#options
    this.#gatherer.flush()
    const timer = setTimeout(() => stopped.abort(), ms)
    await Promise.race([this.#lanes.idle(), once(stopped.signal, 'abort')])
    clearTimeout(timer)
    stopped.abort()
    await poster.flush()
  }

  /** For a delivery that is recorded and claimed, and whose turn it is. */
  async run(bot: string, payload: Payload, facts: DeliveryFacts): Promise<Answer> {
    try {
      return await this.#run(bot, payload, facts, true)
    } finally {
      this.#unclaim(facts.id)
    }
  }

  async #run(bot: string, payload: Payload, facts: DeliveryFacts, mayWait: boolean): Promise<Answer> {
    const { id } = facts
    // Stopped while this one waited its turn: it waits on disk until the bot is started. Deleted: until it is given up.
    const status = this.#options.bots.get(bot)?.status ?? 'active'
    if (status !== 'active' || this.#abandoned.has(bot)) return answerQueued(id)
    const composed = await this.compose(bot, payload, facts)
    // We did not wait for it, and its worker may have been ended: no fault of the handler. The next start runs it again.
    if (this.#options.stopped.signal.aborted) throw new StoreFailure('closed', 'the server stopped first')
    if (this.#abandoned.has(bot)) return answerQueued(id)
    if (mayWait && composed.kind === 'message' && !this.maySay(bot, composed)) {
      this.hold(bot, { id, message: composed, event: facts.event, recorded: Promise.resolve(true) })
      return answerQueued(id)
    }
    return await this.#options.settler.settle(bot, id, composed)
  }

  /** Rejects never. */
  async compose(name: string, payload: Payload, facts: DeliveryFacts): Promise<Composed> {
    const { bots, log } = this.#options
    const { id } = facts
    const bot = bots.get(name)
    if (!bot) return { kind: 'failed', error: 'the bot was deleted' }
    try {
      const composed = await bots.compose(bot, payload, facts)
      if (composed.kind === 'message' && composed.unresolved.length > 0) {
        const { unresolved, composedBy } = composed
        const more = this.#lacking.turn([name, ...unresolved].join(' '), this.#options.now())
        if (more)
          log.warn(
            { bot: name, id, ...more, unresolved, composedBy },
            'the payload lacks what the template names',
          )
      }
      return composed
    } catch (error) {
      log.error({ err: error, bot: name, id }, 'a delivery failed through a fault of ours')
      return { kind: 'failed', error: 'a fault in hookline: see the log' }
    }
  }
}

/**
 * A delivery that ends the process each time must not do so for ever. But a process is also ended many times by what
 * has nothing to do with the delivery that happened to run, and none of those may be given up.
 */
const mostAttempts = 100
