// What somebody with a connection has been sent, read by a test, which never waits longer than necessary.

/** Nothing takes longer, even on a slow machine; a test waiting for something that never comes ends here. */
const DEADLINE_MS = 20_000

export abstract class Inbox {
  readonly #unread: string[] = []
  #waiting: ((line: string | undefined) => void) | undefined
  #isClosed = false
  #pings = 0

  abstract type(...lines: string[]): void

  /** The next line, or undefined when the server has hung up. */
  async next(): Promise<string | undefined> {
    const line = this.#unread.shift()
    if (line !== undefined) return line
    if (this.#isClosed) return undefined
    const { promise, resolve, reject } = Promise.withResolvers<string | undefined>()
    const late = setTimeout(() => reject(new Error(`nothing arrived within ${DEADLINE_MS} ms`)), DEADLINE_MS)
    this.#waiting = (each) => {
      this.#waiting = undefined
      clearTimeout(late)
      resolve(each)
    }
    return promise
  }

  /** Reads up to a matching line, and returns it; earlier lines are dropped. */
  async until(pattern: RegExp): Promise<string> {
    for (;;) {
      const line = await this.next()
      if (line === undefined) throw new Error(`the server hung up before ${String(pattern)}`)
      if (pattern.test(line)) return line
    }
  }

  /** Reads up to the answer to a PING of ours: everything typed before has been processed. Returns what came, now read. */
  async settle(): Promise<string[]> {
    const token = `settled-${++this.#pings}`
    this.type(`PING ${token}`)
    const lines: string[] = []
    for (;;) {
      const line = await this.next()
      if (line === undefined || line.endsWith(` ${token}`)) return lines
      lines.push(line)
    }
  }

  /** To be read again before anything newer. */
  putBack(lines: readonly string[]): void {
    this.#unread.unshift(...lines)
  }

  /** Resolves with everything left to read once the server has hung up. */
  async gone(): Promise<string[]> {
    const lines: string[] = []
    for (let line = await this.next(); line !== undefined; line = await this.next()) lines.push(line)
    return lines
  }

  protected receive(line: string): void {
    if (this.#waiting === undefined) this.#unread.push(line)
    else this.#waiting(line)
  }

  protected close(): void {
    this.#isClosed = true
    this.#waiting?.(undefined)
  }
}
