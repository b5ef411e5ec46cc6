// When to write: at the end of a turn of the event loop, or one look at the sockets later.

/**
 * People who speak at the same time seldom arrive in the same look, and a write costs much: where somebody spoke, what is to be
 * told waits for one more. What nobody said (a webhook's message) does not, for that look may bring much other work.
 */
export class Looks {
  #hasHeard = false

  heard(): void {
    this.#hasHeard = true
  }

  readonly soon = (flush: () => void): void => {
    setImmediate(() => {
      if (this.#hasHeard) setImmediate(flush)
      else flush()
      this.#hasHeard = false
    })
  }
}
