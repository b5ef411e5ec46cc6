// Limits notices to a bot's owner: the first is sent at once, further ones are counted and reported once a minute.

/** A message from the server to whoever owns the bot, kept until they come. */
export type TellOwner = (bot: string, text: string) => void

/** Runs it once, later, without keeping the process alive. Returns a function that cancels it. */
export type Later = (ms: number, run: () => void) => () => void

export interface NoticesOptions<Noticed> {
  readonly later: Later
  /** `more` were counted; `last` is the latest. Resolves when the notice is sent or kept. */
  readonly tell: (last: Noticed, more: number) => Promise<void>
}

export class Notices<Noticed extends { readonly bot: string }> {
  readonly #options: NoticesOptions<Noticed>
  readonly #minutes = new Map<string, Minute<Noticed>>()

  constructor(options: NoticesOptions<Noticed>) {
    this.#options = options
  }

  /**
   * Whether to send it now; if not, the last notice is less than a minute old: it is counted, and reported when the
   * minute is over.
   */
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

  /** Takes back one that was counted: it is not reported. */
  uncount(bot: string, isIt: (noticed: Noticed) => boolean): void {
    const minute = this.#minutes.get(bot)
    if (!minute) return
    if (!isIt(minute.first)) minute.untold = Math.max(0, minute.untold - 1)
    else if (minute.untold === 0) {
      minute.cancel()
      this.#minutes.delete(bot)
    }
  }

  /** Ends all minutes now. Resolves when everything is sent or kept. */
  async flush(): Promise<void> {
    const minutes = [...this.#minutes.values()]
    this.#minutes.clear()
    for (const { cancel } of minutes) cancel()
    await Promise.all(minutes.map((minute) => this.#tell(minute)))
  }

  #begin(last: Noticed): void {
    const cancel = this.#options.later(EVERY_MS, () => this.#end(last.bot))
    this.#minutes.set(last.bot, { first: last, last, untold: 0, cancel })
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

/** The minute after a notice. */
interface Minute<Noticed> {
  /** The one that began it. */
  readonly first: Noticed
  last: Noticed
  untold: number
  readonly cancel: () => void
}

const EVERY_MS = 60_000
