// Logs what a handler prints: line by line, each truncated, and only so many in a while.
import { PipeLines } from './lines.ts'

export interface PrintLog {
  info(data: object, text: string): void
  warn(data: object, text: string): void
}

const lineMaxBytes = 1000
const linesPerWindow = 100
const windowMs = 10_000
const lastLinesKept = 20

export class Prints {
  readonly #bot: string
  readonly #log: PrintLog
  #last: string[] = []
  #windowStart = -Infinity
  #inWindow = 0

  constructor(bot: string, log: PrintLog) {
    this.#bot = bot
    this.#log = log
  }

  /** Follows the output pipes of a new worker to their end. Calls `tooMuch` for more than `maxBytes` within a window. */
  follow(pipes: readonly NodeJS.ReadableStream[], maxBytes: number, tooMuch: (why: string) => void): void {
    const allowance = { since: performance.now(), bytes: 0 }
    const count = (bytes: number): void => {
      if (performance.now() - allowance.since >= windowMs)
        Object.assign(allowance, { since: performance.now(), bytes: 0 })
      allowance.bytes += bytes
      if (allowance.bytes > maxBytes) tooMuch(`it printed ${maxBytes >> 20} MiB within ${windowMs / 1000} s`)
    }
    this.#last = []
    for (const pipe of pipes) this.#followOne(pipe, count)
  }

  /** The last lines printed, for the report of a crash. */
  get last(): string {
    return this.#last.join('\n').slice(-8192)
  }

  #followOne(pipe: NodeJS.ReadableStream, count: (bytes: number) => void): void {
    const lines = new PipeLines(lineMaxBytes)
    pipe.on('data', (chunk: Buffer) => {
      count(chunk.length)
      // Piece by piece, so that lines beyond those that are logged are not split off.
      for (let start = 0; start < chunk.length && !this.#isFull; start += lineMaxBytes) {
        lines.push(chunk.subarray(start, start + lineMaxBytes)).forEach(({ text }) => this.#print(text))
      }
      if (!this.#isFull) return
      lines.end()
      // A crash report still shows how it ended.
      this.#last = chunk.subarray(-lineMaxBytes).toString().trimEnd().split('\n').slice(-lastLinesKept)
    })
    pipe.on('end', () => lines.end().forEach(({ text }) => this.#print(text)))
    // A broken pipe means the same as one that ends: the worker's exit tells the rest.
    pipe.on('error', () => {})
  }

  /** True while nothing more is logged. */
  get #isFull(): boolean {
    if (performance.now() - this.#windowStart >= windowMs) {
      this.#windowStart = performance.now()
      this.#inWindow = 0
    }
    return this.#inWindow > linesPerWindow
  }

  #print(line: string): void {
    this.#last = [...this.#last.slice(1 - lastLinesKept), line]
    if (this.#isFull) return
    this.#inWindow++
    if (this.#isFull) {
      this.#log.warn({ bot: this.#bot }, `handler prints too much: more is dropped for ${windowMs / 1000} s`)
    } else {
      this.#log.info({ bot: this.#bot, line }, 'handler printed')
    }
  }
}
