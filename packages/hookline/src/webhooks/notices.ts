// What an owner hears of what happens often: of the first at once, then once a minute for each bot how many more there were.

/** Runs it once, later, and keeps no process alive for it. Returns how to call it off. */
export type Later = (ms: number, run: () => void) => () => void

export interface NoticesOptions<Noticed> {
  readonly later: Later
  /** `more` were counted; `last` is the last of them. Resolves when it is told or kept. */
  readonly tell: (last: Noticed, more: number) => Promise<void>
}

export class Notices<Noticed extends { readonly bot: string }> {
  readonly #options: NoticesOptions<Noticed>
  readonly #minutes = new Map<string, Minute<Noticed>>()

  constructor(options: NoticesOptions<Noticed>) {
    this.#options = options
  }

  /** Whether to tell of it now; if not, the last message is less than a minute old: it is counted, and told when that is over. */
  isNews(noticed: Noticed): boolean {
    const minute = this.#minutes.get(noticed.bot)
    if (!minute) {
      this.#begin(noticed)
      return true
    }
    minute.untold++
    minute.last = noticed
    return false
  }

  /** One that was counted is not so: nothing of it is told. */
  uncount(bot: string, isIt: (noticed: Noticed) => boolean): void {
    const minute = this.#minutes.get(bot)
    if (!minute) return
    if (!isIt(minute.first)) minute.untold = Math.max(0, minute.untold - 1)
    else if (minute.untold === 0) {
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

  #begin(last: Noticed): void {
    const callOff = this.#options.later(everyMs, () => this.#end(last.bot))
    this.#minutes.set(last.bot, { first: last, last, untold: 0, callOff })
  }

  #end(bot: string): void {
    const minute = this.#minutes.get(bot)
    this.#minutes.delete(bot)
    if (!minute?.untold) return
    this.#begin(minute.last)
    void this.#tell(minute)
  }

  async #tell({ last, untold }: Minute<Noticed>): Promise<void> {
    if (untold > 0) await this.#options.tell(last, untold)
  }
}

/** After a message. */
interface Minute<Noticed> {
  /** With which it began. */
  readonly first: Noticed
  last: Noticed
  untold: number
  readonly callOff: () => void
}

const everyMs = 60_000
