// Whether the server turns: a PING every millisecond, and how long each PONG takes. What it does at once between two of them shows as
// the time of the slowest.
import { setInterval as every, setTimeout as wait } from 'node:timers/promises'
import { Client } from './client.ts'

const EACH_MS = 1
const LF = 10

export class Pulse {
  readonly #client: Client
  readonly #sentAt: number[] = []
  readonly #ending = new AbortController()
  #worst = 0

  constructor(port: number) {
    this.#client = new Client(port, 'pulse')
  }

  async begin(): Promise<void> {
    await this.#client.settle()
    this.#client.listen((chunk) => this.#read(chunk))
    void this.#beat()
  }

  /** The slowest while `doing` it, and for so long after. */
  async during(doing: () => Promise<unknown>, afterMs: number): Promise<number> {
    await this.#quiet()
    this.#worst = 0
    await doing()
    await wait(afterMs)
    await this.#quiet()
    return this.#worst
  }

  async end(): Promise<void> {
    this.#ending.abort()
    await this.#client.close()
  }

  /** Until it is answered as fast as it asks. */
  async #quiet(): Promise<void> {
    while (this.#sentAt.length > 3) await wait(1)
  }

  async #beat(): Promise<void> {
    try {
      for await (const _ of every(EACH_MS, undefined, { signal: this.#ending.signal })) {
        this.#sentAt.push(performance.now())
        this.#client.send('PING pulse\r\n')
      }
    } catch {
      // ended
    }
  }

  #read(chunk: Buffer): void {
    const now = performance.now()
    for (let at = chunk.indexOf(LF); at !== -1; at = chunk.indexOf(LF, at + 1)) {
      this.#worst = Math.max(this.#worst, now - (this.#sentAt.shift() ?? now))
    }
  }
}
