// What an owner hears of failures: a message at once, then one a minute for each bot that counts the others.
import { reasonIn } from '../bots/handler/reason.ts'

/** Runs it once, later, and keeps no process alive for it. Returns how to call it off. */
export type Later = (ms: number, run: () => void) => () => void

export interface FailureNoticesOptions {
  readonly later: Later
  /** Resolves when it is told or kept. */
  readonly tell: (failure: Failure, text: string) => Promise<void>
}

export interface Failure {
  readonly bot: string
  readonly owner: string
  /** Of the delivery. */
  readonly id: string
}

export class FailureNotices {
  readonly #options: FailureNoticesOptions
  readonly #minutes = new Map<string, Minute>()

  constructor(options: FailureNoticesOptions) {
    this.#options = options
  }

  /** The text for the owner; undefined while the last one is less than a minute old: it is counted, and told when that is over. */
  next(failure: Failure, error: string): string | undefined {
    const minute = this.#minutes.get(failure.bot)
    if (minute) {
      minute.unsaid++
      minute.last = failure
      return undefined
    }
    this.#begin(failure)
    const { id } = failure
    return `delivery ${id} failed: ${reasonIn(error)}. To run it again: hookline bot replay ${id}`
  }

  /** It does not count: nothing of it is told. */
  uncount(bot: string, id: string): void {
    const minute = this.#minutes.get(bot)
    if (!minute) return
    if (minute.first !== id) minute.unsaid = Math.max(0, minute.unsaid - 1)
    else if (minute.unsaid === 0) {
      minute.callOff()
      this.#minutes.delete(bot)
    }
  }

  /** The minute is over for all of them. Resolves when everything is told or kept. */
  async flush(): Promise<void> {
    const minutes = [...this.#minutes.values()]
    this.#minutes.clear()
    for (const { callOff } of minutes) callOff()
    await Promise.all(minutes.map((minute) => this.#tell(minute)))
  }

  #begin(last: Failure): void {
    const callOff = this.#options.later(everyMs, () => this.#end(last.bot))
    this.#minutes.set(last.bot, { first: last.id, last, unsaid: 0, callOff })
  }

  #end(bot: string): void {
    const minute = this.#minutes.get(bot)
    this.#minutes.delete(bot)
    if (!minute?.unsaid) return
    this.#begin(minute.last)
    void this.#tell(minute)
  }

  async #tell({ last, unsaid }: Minute): Promise<void> {
    if (unsaid === 0) return
    const what = unsaid === 1 ? '1 more delivery' : `${unsaid} more deliveries`
    await this.#options.tell(last, `${what} failed (see: hookline bot deliveries ${last.bot} --failed)`)
  }
}

/** After a message. */
interface Minute {
  /** The delivery with which it began. */
  readonly first: string
  last: Failure
  unsaid: number
  readonly callOff: () => void
}

const everyMs = 60_000
