// Splits bytes from a pipe into lines, however they arrive; never holds more than a bound.

export class PipeLines {
  readonly #maxBytes: number
  /** The line that is arriving, up to `#held`. One buffer, because a piece may be one byte and would take two hundred. */
  #line: Buffer = NOTHING
  #held = 0
  #isOverfull = false

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** The lines that end in `chunk`, without their line break; of one that is longer than the bound, its beginning. */
  push(chunk: Buffer): readonly string[] {
    const lines: string[] = []
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
    return this.#isOverfull
  }

  /** What is left when the pipe ends. */
  end(): readonly string[] {
    const line = this.#line.toString('utf8', 0, this.#held)
    const isEmpty = this.#held === 0
    this.#line = NOTHING
    this.#held = 0
    this.#isOverfull = false
    return isEmpty ? [] : [line]
  }

  #hold(bytes: Buffer): void {
    const kept = bytes.subarray(0, this.#maxBytes - this.#held)
    if (kept.length < bytes.length) this.#isOverfull = true
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
