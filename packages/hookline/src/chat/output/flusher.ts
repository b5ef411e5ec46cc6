// When gathered output is written: once a turn, or over several turns if there are more readers than one can serve.
import type { Session } from '../session.ts'
import { Burst } from './burst.ts'
import type { Narrowing } from './fanout.ts'
import type { Telling } from './line.ts'
import { type Flushing, Gathered, type Outbox } from './outbox.ts'

/** Outboxes written to in one turn, so that what is said in a turn is one write for each. A write takes 5 to 12 µs. */
const AT_ONCE = 1_500
/** Beyond that, this many in each turn. */
const PIECE = 500

/**
 * Flushes the outboxes that hold something, once a turn. `soon` runs a function after the turn's input is read. If there are more
 * than can be written to at once, those with output of their own come first, and a channel of ten thousand is written to over as many
 * turns as it takes, while others are read.
 */
export class Flusher implements Flushing {
  readonly #soon: (flush: () => void) => void
  #root = new Gathered()
  #waiting: Outbox[] = []
  /** Those of earlier turns. What they are sent meanwhile joins what already waits. */
  #late: Outbox[] = []
  #burst: Burst | undefined
  #isDue = false

  constructor(soon: (flush: () => void) => void) {
    this.#soon = soon
  }

  /** The empty root that all sequences of this turn share. */
  get root(): Gathered {
    return this.#root
  }

  add(outbox: Outbox): void {
    this.#waiting.push(outbox)
    this.#schedule()
  }

  /** A message to a channel. `listeners` is the same list until the channel's listeners change. */
  say(listeners: readonly Session[], telling: Telling, narrow: Required<Narrowing>): void {
    if (this.#burst?.listeners !== listeners) this.settle()
    this.#burst ??= new Burst(listeners)
    this.#burst.add(telling, narrow)
    if (this.#burst.isFull) this.settle()
    else this.#schedule()
  }

  /** What is sent from now on comes after all that was said. */
  settle(): void {
    const burst = this.#burst
    this.#burst = undefined
    burst?.handOut((outbox, text, isShared) => outbox.push(text, isShared))
  }

  /** It has output of its own, and may be waiting behind a channel. */
  hurry(outbox: Outbox): void {
    if (this.#late.length > 0) this.add(outbox)
  }

  /** All at once. */
  flush(): void {
    this.settle()
    while (this.#waiting.length + this.#late.length > 0) this.#write(Infinity)
  }

  #schedule(): void {
    if (this.#isDue) return
    this.#isDue = true
    this.#soon(() => this.#turn())
  }

  #turn(): void {
    const burst = this.#burst
    const isAll = this.#waiting.length + this.#late.length === 0
    if (burst !== undefined && isAll && burst.listeners.length <= AT_ONCE) {
      this.#burst = undefined
      this.#isDue = false
      const root = new Gathered()
      burst.handOut((outbox, text, isShared) => outbox.write(root.append(text, isShared)))
      return
    }
    this.settle()
    this.#isDue = false
    const isMuch = this.#late.length > 0 || this.#waiting.length > AT_ONCE
    this.#write(isMuch ? PIECE : AT_ONCE)
  }

  #write(most: number): void {
    const waiting = this.#waiting
    const isMuch = waiting.length > most
    const first = isMuch ? waiting.filter(({ isAlone }) => isAlone) : waiting
    const others = isMuch ? waiting.filter(({ isAlone }) => !isAlone) : []
    const late = [...this.#late, ...first.splice(most), ...others]
    const next = late.splice(0, most)
    this.#waiting = []
    this.#late = late
    this.#root = new Gathered()
    if (late.length > 0) this.#schedule()
    for (const outbox of first) outbox.flush()
    for (const outbox of next) outbox.flush()
  }
}
