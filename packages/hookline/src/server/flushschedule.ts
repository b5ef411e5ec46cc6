// When to flush output: at the end of an event-loop turn, or one poll of the sockets later.

/**
 * Messages sent at the same time seldom arrive in the same poll, and writes are expensive: after input from clients,
 * output waits for one more poll. Other output (a webhook's message) does not, as that poll may bring much other work.
 */
export class FlushSchedule {
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
