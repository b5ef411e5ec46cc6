// Bytes from a pipe → lines, however they arrive; never more than a bound of them is held.

export interface PipeLine {
  readonly text: string
  /** It was longer than the bound: this is its beginning, and the rest was thrown away. */
  readonly isCut: boolean
}

export class PipeLines {
  readonly #maxBytes: number
  #pieces: Buffer[] = []
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
    const line = { text: Buffer.concat(this.#pieces).toString(), isCut: this.#isCut }
    const isEmpty = this.#held === 0
    this.#pieces = []
    this.#held = 0
    this.#isCut = false
    return isEmpty ? [] : [line]
  }

  #hold(bytes: Buffer): void {
    const kept = bytes.subarray(0, this.#maxBytes - this.#held)
    if (kept.length < bytes.length) this.#isCut = true
    if (kept.length === 0) return
    this.#pieces.push(kept)
    this.#held += kept.length
  }
}
