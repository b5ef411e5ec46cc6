// When the next batch goes: at the end of this turn, a moment after its first line, or a while after the disk has failed.

export class Pace {
  readonly #go: () => void
  readonly #retryMs: number
  #isDue = false
  #gathering: NodeJS.Timeout | undefined
  #retry: NodeJS.Timeout | undefined

  constructor(go: () => void, retryMs: number) {
    this.#go = go
    this.#retryMs = retryMs
  }

  /** At the end of this turn of the event loop, so that what arrived on many sockets at once shares a commit. */
  soon(): void {
    if (this.#isDue) return
    this.#isDue = true
    setImmediate(() => {
      this.#isDue = false
      this.#go()
    })
  }

  /** For lines, which nobody awaits: those of a moment share a commit, which costs as much as a hundred lines. */
  gather(): void {
    this.#gathering ??= setTimeout(() => {
      this.#gathering = undefined
      if (!this.isRetrying) this.soon()
    }, GATHER_MS)
  }

  /** A batch is sent, and includes what was gathered. */
  went(): void {
    clearTimeout(this.#gathering)
    this.#gathering = undefined
  }

  /** The disk has failed, and is tried again later; lines wait until then. */
  retry(): void {
    clearTimeout(this.#retry)
    this.#retry = setTimeout(() => {
      this.#retry = undefined
      this.soon()
    }, this.#retryMs)
  }

  get isRetrying(): boolean {
    return this.#retry !== undefined
  }

  /** It works again, or is no longer tried. */
  endRetry(): void {
    clearTimeout(this.#retry)
    this.#retry = undefined
  }
}

/** How long a line may wait for others; a crash in that time loses it. */
const GATHER_MS = 20
