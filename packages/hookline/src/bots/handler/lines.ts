// Splits bytes from a pipe into lines, however they arrive; never holds more than a bound.

export interface PipeLine {
  readonly text: string
  /** It was longer than the bound: this is its beginning, and the rest was thrown away. */
  readonly isCut: boolean
}

export class PipeLines {
  readonly #maxBytes: number
  /** The line that is arriving, up to `#held`. One buffer, because a piece may be one byte and would take two hundred. */
  #line: Buffer = NOTHING
  #held = 0
  #isCut = false

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** The lines that end in `chunk`, without their line break. */
  push(chunk: Buffer): readonly PipeLine[] {
    const lines: PipeLine[] = []
    let start = 0
    for (let end = chunk.indexOf(0x0a); end !== -1; end = chunk.indexOf(0x0a, start)) {
      this.#hold(chunk.subarray(start, end))
      lines.push(...this.end())
      start = end + 1
    }
    this.#hold(chunk.subarray(start))
    return lines
  }

  /** True when the line that is arriving has already passed the bound. */
  get isOverfull(): boolean {
    return this.#isCut
  }

  /** What is left when the pipe ends. */
  end(): readonly PipeLine[] {
    const line = { text: this.#line.toString('utf8', 0, this.#held), isCut: this.#isCut }
    const isEmpty = this.#held === 0
    this.#line = NOTHING
    this.#held = 0
    this.#isCut = false
    return isEmpty ? [] : [line]
  }

  #hold(bytes: Buffer): void {
    const kept = bytes.subarray(0, this.#maxBytes - this.#held)
    if (kept.length < bytes.length) this.#isCut = true
    const end = this.#held + kept.length
    if (end > this.#line.length) this.#grow(Math.min(Math.max(end, 2 * this.#held), this.#maxBytes))
    kept.copy(this.#line, this.#held)
    this.#held = end
  }

  #grow(room: number): void {
    const line = Buffer.allocUnsafeSlow(room)
    this.#line.copy(line, 0, 0, this.#held)
    this.#line = line
  }
}

const NOTHING = Buffer.alloc(0)
