// A burst: consecutive messages in one channel, gathered while nothing else is sent, then handed to each listener as one text.
import type { Session } from '../session.ts'
import type { User } from '../state.ts'
import type { Narrowing } from './fanout.ts'
import type { Telling } from './line.ts'
import type { Outbox } from './outbox.ts'

/** At most this many are handed out at once. */
const MOST = 64

export class Burst {
  readonly listeners: readonly Session[]
  readonly #messages: (Required<Narrowing> & { readonly telling: Telling })[] = []
  /** Those who do not hear all of it: usually one. */
  #speaker: User | undefined
  #speakers: Set<User | undefined> | undefined
  readonly #texts = new Map<number, string>()

  constructor(listeners: readonly Session[]) {
    this.listeners = listeners
  }

  get isFull(): boolean {
    return this.#messages.length >= MOST
  }

  add(telling: Telling, { except, cap }: Required<Narrowing>): void {
    this.#messages.push({ telling, except, cap })
    if (this.#messages.length === 1) this.#speaker = except
    else if (except !== this.#speaker) (this.#speakers ??= new Set()).add(except)
  }

  /**
   * Calls `tell` for each listener with all that it hears, outside any label: none of it answers a command. A text that `isShared` is
   * the same object for all who hear it.
   */
  handOut(tell: (outbox: Outbox, text: string, isShared: boolean) => void): void {
    let lastCaps = -1
    let lastText = ''
    for (const session of this.listeners) {
      const { caps, user } = session
      if (user === this.#speaker || this.#speakers?.has(user) === true) {
        const own = this.#write(caps, user)
        if (own !== '') tell(session.outbox, own, false)
        continue
      }
      if (caps !== lastCaps) {
        lastCaps = caps
        lastText = this.#textFor(caps)
      }
      if (lastText !== '') tell(session.outbox, lastText, true)
    }
  }

  /** Equal texts become the same string object, which is quick to compare. */
  #textFor(caps: number): string {
    const known = this.#texts.get(caps)
    if (known !== undefined) return known
    const text = this.#write(caps)
    const same = this.#texts.values().find((other) => other === text) ?? text
    this.#texts.set(caps, same)
    return same
  }

  #write(caps: number, user?: User): string {
    let text = ''
    for (const { telling, except, cap } of this.#messages) {
      if ((cap === 0 || (caps & cap) !== 0) && (user === undefined || except !== user))
        text += telling.form(caps)
    }
    return text
  }
}
