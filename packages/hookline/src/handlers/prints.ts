// Logs what a handler prints: line by line, each truncated, and only so many in a while.
import { PipeLines } from './lines.ts'

/** The part of a `Log` that is used here. */
export interface PrintLog {
  info(data: { readonly bot: string; readonly line: string }, text: string): void
  warn(data: { readonly bot: string }, text: string): void
}

/** Of a line; the rest of it is not logged. */
export const LINE_MAX_BYTES = 1000
const LINES_PER_WINDOW = 100
const WINDOW_MS = 10_000
const LAST_LINES_KEPT = 20
const LAST_CHARS_KEPT = 8192
const TAIL_BYTES = 8192

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
    let allowance = { since: performance.now(), bytes: 0 }
    const count = (bytes: number): void => {
      const now = performance.now()
      if (now - allowance.since >= WINDOW_MS) allowance = { since: now, bytes: 0 }
      allowance.bytes += bytes
      if (allowance.bytes > maxBytes) tooMuch(`it printed ${maxBytes >> 20} MiB within ${WINDOW_MS / 1000} s`)
    }
    this.#last = []
    for (const pipe of pipes) this.#followOne(pipe, count)
  }

  /** The last lines printed, for the report of a crash. Whole ones: in the rest of one, a secret may not be recognised. */
  get last(): string {
    const text = this.#last.join('\n')
    const beyond = text.length - LAST_CHARS_KEPT
    return beyond > 0 ? text.slice(text.indexOf('\n', beyond - 1) + 1) : text
  }

  #followOne(pipe: NodeJS.ReadableStream, count: (bytes: number) => void): void {
    const lines = new PipeLines(LINE_MAX_BYTES)
    let tail: Buffer = Buffer.alloc(0)
    let isMidLine = false
    pipe.on('data', (chunk: Buffer) => {
      count(chunk.length)
      tail = Buffer.concat([tail, chunk.subarray(-TAIL_BYTES)]).subarray(-TAIL_BYTES)
      let start = 0
      if (isMidLine && !this.#isFull) {
        // In the rest of a line that was dropped, a secret may not be recognised.
        const end = chunk.indexOf('\n')
        start = end === -1 ? chunk.length : end + 1
        isMidLine = end === -1
      }
      // Piece by piece, so that lines beyond those that are logged are not split off.
      for (; start < chunk.length && !this.#isFull; start += LINE_MAX_BYTES) {
        for (const line of lines.push(chunk.subarray(start, start + LINE_MAX_BYTES))) this.#print(line)
      }
      if (!this.#isFull) return
      lines.end()
      isMidLine = chunk.at(-1) !== 0x0a
      // A crash report still shows how it ended, from the first line that is whole.
      const ended = tail.toString().trimEnd().split('\n')
      this.#last = ended.slice(tail.length < TAIL_BYTES ? 0 : 1).slice(-LAST_LINES_KEPT)
    })
    pipe.on('end', () => lines.end().forEach((line) => this.#print(line)))
    // A broken pipe means the same as one that ends: the worker's exit tells the rest.
    pipe.on('error', () => {})
  }

  /** True while nothing more is logged. */
  get #isFull(): boolean {
    if (performance.now() - this.#windowStart >= WINDOW_MS) {
      this.#windowStart = performance.now()
      this.#inWindow = 0
    }
    return this.#inWindow > LINES_PER_WINDOW
  }

  #print(line: string): void {
    this.#last = [...this.#last.slice(1 - LAST_LINES_KEPT), line]
    if (this.#isFull) return
    this.#inWindow++
    if (this.#isFull) {
      this.#log.warn(
        { bot: this.#bot },
        `handler prints too much: further output is dropped for ${WINDOW_MS / 1000} s`,
      )
    } else {
      this.#log.info({ bot: this.#bot, line }, 'handler printed')
    }
  }
}
