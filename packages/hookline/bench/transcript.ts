// What all members of a channel must read: the same bytes. Whoever reads first writes it down, the others are held
// against it, so that a reader costs a comparison of memory and nothing for each line.

const LF = 10

export class Transcript {
  readonly #bytes: Buffer
  #length = 0
  /** Where each line ends, its CRLF included. */
  readonly ends: number[] = []
  readonly #onLine: (line: string) => void

  /** `onLine` is told each line once, when its first reader has it. Beyond `capacity` bytes reading fails. */
  constructor(capacity: number, onLine: (line: string) => void) {
    this.#bytes = Buffer.allocUnsafe(capacity)
    this.#onLine = onLine
  }

  /** False where a reader at `offset` was sent something else than those before it. */
  read(offset: number, chunk: Buffer): boolean {
    const known = Math.min(this.#length - offset, chunk.length)
    if (chunk.compare(this.#bytes, offset, offset + known, 0, known) !== 0) return false
    if (known < chunk.length) this.#append(chunk, known)
    return true
  }

  #append(chunk: Buffer, from: number): void {
    const start = this.ends.at(-1) ?? 0
    const before = this.#length
    this.#length += chunk.copy(this.#bytes, before, from)
    if (this.#length - before !== chunk.length - from) throw new Error('more was sent than was ever said')
    let lineStart = start
    for (let at = this.#bytes.indexOf(LF, before); at !== -1 && at < this.#length;) {
      this.ends.push(at + 1)
      this.#onLine(this.#bytes.toString('latin1', lineStart, at + 1))
      lineStart = at + 1
      at = this.#bytes.indexOf(LF, lineStart)
    }
  }
}
