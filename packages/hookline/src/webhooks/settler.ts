// Settles deliveries: the outcome is prepared, recorded, and only then shown.
import { setImmediate } from 'node:timers/promises'
import type { Composed } from '../message/composed.ts'
import type { VirtualUsers } from '../chat/virtual.ts'
import { crashPoint } from '../process/crashpoint.ts'
import type { Finished, Replies } from '../store/deliveryrows.ts'
import { insist, type Insisting } from '../store/retrywrites.ts'
import type { Store } from '../store/store.ts'
import { type Answer, answerOutcome } from './answer.ts'
import type { Mailbox } from './mailbox.ts'
import type { Metrics } from './metrics.ts'
import type { Poster, Prepared, Settled } from './poster.ts'
import { withReplyTags } from './replytags.ts'
import type { DeliveryObserver } from './observer.ts'

export interface SettlerOptions extends Insisting {
  readonly chat: VirtualUsers
  readonly store: Store
  readonly poster: Poster
  readonly mailbox: Mailbox
  readonly metrics: Metrics
  readonly observer?: DeliveryObserver
}

export class Settler {
  readonly #options: SettlerOptions

  constructor(options: SettlerOptions) {
    this.#options = options
  }

  /** For a recorded delivery. */
  async settle(bot: string, id: string, composed: Composed): Promise<Answer> {
    crashPoint('composed')
    const prepared = this.#options.poster.prepare(bot, composed, id)
    await this.settleAll(bot, [{ id, prepared }])
    return answerOutcome(id, prepared.outcome, prepared.message)
  }

  /** The same for several, in one transaction. */
  async settleAll(bot: string, settled: readonly Settled[]): Promise<void> {
    const finished = settled.map(({ id, prepared }) => ({ id, outcome: prepared.outcome }))
    for (const { prepared } of settled) this.hold(prepared)
    const replies = await this.#finish(finished).catch((error: unknown) => {
      for (const each of settled) this.forget(bot, each)
      throw error
    })
    for (const each of settled) this.tell(bot, each, replies)
  }

  /** While it is being written, nobody else delivers its letters. Call `tell` or `forget` then. */
  hold({ letters }: Prepared): void {
    this.#options.mailbox.hold(letters)
  }

  /** Takes back what was prepared: its record was not written, or it was a duplicate. */
  forget(bot: string, { id, prepared }: Settled): void {
    const { mailbox, poster } = this.#options
    mailbox.release(prepared.letters)
    poster.uncount(bot, id, prepared.outcome)
  }

  /** Call when its record is on disk. */
  tell(bot: string, { id, prepared }: Settled, replies: Replies | undefined): void {
    const { chat, mailbox, metrics, observer } = this.#options
    const { drafts, letters, outcome } = withReplyTags(prepared, replies)
    for (const draft of drafts) {
      chat.publish(draft)
      crashPoint('telling')
    }
    mailbox.handOver(letters)
    crashPoint('told')
    metrics.delivered(bot, outcome.status)
    observer?.settled(bot, id, outcome.status)
  }

  /** Resolves when everything being recorded now is shown, or the disk has refused it. */
  async told(): Promise<void> {
    // The store answers in order, and what it has recorded is shown in the same turn.
    await this.#options.store.latest().catch(() => {})
    await setImmediate()
  }

  // The handler has run, and must not run again because the disk was full for a while.
  #finish(finished: readonly Finished[]): Promise<Replies> {
    return insist(() => this.#options.store.deliveries.finish(finished), this.#options)
  }
}
