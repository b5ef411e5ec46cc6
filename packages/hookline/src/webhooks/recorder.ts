// Records new deliveries, and answers their senders: with the outcome, or `queued`.
import type { Composed } from '../message/composed.ts'
import type { FoundHandler } from '../handlers/find.ts'
import type { Payload } from '../message/payload.ts'
import { crashPoint } from '../process/crashpoint.ts'
import type { Begun, NewDelivery } from '../store/deliveryrows.ts'
import type { Store } from '../store/store.ts'
import { type Answer, answerDuplicate, answerOutcome, answerQueued } from './answer.ts'
import { type AnswerTimeout, inTime } from './answertimeout.ts'
import type { Message, Poster, Prepared } from './poster.ts'
import type { Runner } from './runner.ts'
import type { Settler } from './settler.ts'

export interface RecorderOptions extends AnswerTimeout {
  readonly store: Store
  readonly poster: Poster
  readonly settler: Settler
  readonly runner: Runner
}

/** `known`: it is not run here, and this is the answer. */
type Claimed = Exclude<Begun, { kind: 'duplicate' }> | { readonly kind: 'known'; readonly answer: Answer }

export class Recorder {
  readonly #options: RecorderOptions

  constructor(options: RecorderOptions) {
    this.#options = options
  }

  /** For bots without a handler: nothing slow precedes the record, so one transaction holds everything. */
  async post(delivery: NewDelivery, payload: Payload, { problem }: FoundHandler): Promise<Answer> {
    const { runner, settler } = this.#options
    const { id, bot, body } = delivery
    // Only composing waits its turn: commits keep the order of the calls, many of them in one.
    const { prepared, begun } = await runner.inTurnOrNow(bot, body.byteLength, () => {
      const composed = runner.isStopped(bot) ? undefined : runner.render(bot, payload, delivery, problem)
      payload.release()
      return this.#begin(delivery, composed)
    })
    const result = await begun
    switch (result.kind) {
      case 'new':
        if (!prepared) return answerQueued(id)
        settler.tell(bot, { id, prepared }, result.replies)
        return answerOutcome(id, prepared.outcome, prepared.message)
      case 'known':
        return result.answer
      case 'retry':
        return await inTime(result.id, runner.repeat(result.id, bot), this.#options)
    }
  }

  /** Records it with its outcome, `prepared`; or as pending, if it has none yet. */
  #begin(
    delivery: NewDelivery,
    composed: Composed | undefined,
  ): { readonly prepared?: Prepared; readonly begun: Promise<Claimed> } {
    const { poster, runner, settler, store } = this.#options
    const { id, bot } = delivery
    if (!composed) return { begun: this.#claimed(store.deliveries.begin(delivery)) }
    const message = composed.kind === 'message' ? composed : undefined
    if (message && !runner.gatherer.maySay(bot, message)) return { begun: this.#hold(delivery, message) }
    crashPoint('composed')
    const prepared = poster.prepare(bot, composed, id)
    const written = this.#claimed(store.deliveries.record(delivery, prepared.outcome))
    settler.hold(prepared)
    const begun = unlessNew(written, () => {
      settler.forget(bot, { id, prepared })
      if (message) runner.gatherer.unsay(bot, message)
    })
    return { prepared, begun }
  }

  /** Records it as pending; the message waits for others. */
  #hold(delivery: NewDelivery, message: Message): Promise<Claimed> {
    const { runner, store } = this.#options
    const { id, bot, event } = delivery
    const begun = this.#claimed(store.deliveries.begin(delivery))
    const recorded = begun.then(
      ({ kind }) => kind === 'new',
      () => false, // the sender gets the error through `begun`
    )
    runner.gatherer.hold(bot, { id, message, event, recorded })
    return begun
  }

  /** For bots with a handler: recorded first, as a handler may be slow or crash the process. */
  async queue(delivery: NewDelivery, payload: Payload): Promise<Answer> {
    const { runner, store } = this.#options
    const { id, bot, body } = delivery
    const begun = this.#claimed(store.deliveries.begin(delivery), id)
    const answer = runner.inTurn(bot, body.byteLength, async () => {
      const result = await begun
      if (result.kind === 'known') return result.answer
      crashPoint('recorded')
      const facts = result.kind === 'retry' ? { ...delivery, id: result.id } : delivery
      return await runner.run(bot, payload, facts)
    })
    answer.catch(() => {}) // handled through `begun`, or in `inTime` below
    const result = await store.orStuck(begun)
    if (result.kind === 'known') return result.answer
    return await inTime(result.kind === 'retry' ? result.id : id, answer, this.#options)
  }

  /**
   * Claims at once, before anybody else sees it pending: a start of the bot would resume it as well. A retry of a
   * failed delivery always runs, unless a replay of it waits its turn; a new one is claimed only if `id` is given.
   */
  async #claimed(begun: Promise<Begun>, id?: string): Promise<Claimed> {
    const { runner } = this.#options
    const result = await begun
    if (result.kind === 'duplicate') return { kind: 'known', answer: answerDuplicate(result.row) }
    if (result.kind === 'retry' && runner.willReplay(result.id))
      return { kind: 'known', answer: answerQueued(result.id) }
    if (result.kind === 'retry') runner.claim(result.id)
    else if (id !== undefined) runner.claim(id)
    return result
  }
}

/** Calls `undo` if it was not written, or is a duplicate. */
async function unlessNew(written: Promise<Claimed>, undo: () => void): Promise<Claimed> {
  let result: Claimed | undefined
  try {
    result = await written
    return result
  } finally {
    if (result?.kind !== 'new') undo()
  }
}
