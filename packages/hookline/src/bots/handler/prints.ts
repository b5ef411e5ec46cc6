// What a handler prints goes to the log: line by line, each cut, and no more than so many in a while.
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
  readonly #now: () => number
  #last: string[] = []
  #windowStart = -Infinity
  #inWindow = 0

  constructor(bot: string, log: PrintLog, now: () => number = Date.now) {
    this.#bot = bot
    this.#log = log
    this.#now = now
  }

  /** Follows one of the worker's output pipes to its end. */
  follow(pipe: NodeJS.ReadableStream): void {
    const lines = new PipeLines(lineMaxBytes)
    pipe.on('data', (chunk: Buffer) => lines.push(chunk).forEach(({ text }) => this.#print(text)))
    pipe.on('end', () => lines.end().forEach(({ text }) => this.#print(text)))
    // A pipe that breaks has the same meaning as one that ends: the worker's exit tells the rest.
    pipe.on('error', () => {})
  }

  /** The last lines printed, for the report of a crash. */
  get last(): string {
    return this.#last.join('\n').slice(-8192)
  }

  #print(line: string): void {
    this.#last = [...this.#last.slice(1 - lastLinesKept), line]
    const now = this.#now()
    if (now - this.#windowStart >= windowMs) {
      this.#windowStart = now
      this.#inWindow = 0
    }
    this.#inWindow++
    if (this.#inWindow <= linesPerWindow) {
      this.#log.info({ bot: this.#bot, line }, 'handler printed')
    } else if (this.#inWindow === linesPerWindow + 1) {
      this.#log.warn({ bot: this.#bot }, `handler prints too much: more is dropped for ${windowMs / 1000} s`)
    }
  }
}
