// Bytes to lines. An overlong line is reported once and dropped to its end: its tail is never taken for a line.
import { isAscii, isUtf8 } from 'node:buffer'
import { BODY_BYTES, type Incoming } from '../irc/message.ts'
import { CLIENT_TAG_BYTES } from '../irc/tags.ts'

/** Without the end of a line by then, the peer is not speaking IRC. */
export const ENDLESS = 16_384

/** So many bytes count as a line, whatever is in them, in addition to the lines. */
const LINE_BYTES = 1_024
/** A read that ends no line counts as at least this: else each byte could come by itself, and cost a read. */
const PIECE_BYTES = 128

const NOTHING = Buffer.alloc(0)

export class LineDecoder {
  /** The beginning of an unfinished line. */
  #rest: Buffer = NOTHING
  /** Bytes of an overlong line seen so far; its end is still to come. */
  #skipped = 0
  /** Read and not yet counted as a line. */
  #bytes = 0

  push(chunk: Buffer): Incoming[] {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk])
    const isPlain = isAscii(bytes)
    const lines: Incoming[] = []
    let empty = 0
    let from = 0
    for (let end = bytes.indexOf(LF); end !== -1; end = bytes.indexOf(LF, from)) {
      if (this.#skipped > 0) this.#skipped = 0
      else if (end - from > ENDLESS) lines.push({ fault: 'endless' })
      else {
        const line = decode(bytes, from, withoutCr(bytes, from, end), isPlain)
        if (line === '') empty++
        else lines.push(line)
      }
      from = end + 1
      // Decoded one by one, a read full of them would take milliseconds.
      for (let length = emptyAt(bytes, from); length > 0; length = emptyAt(bytes, from)) {
        empty++
        from += length
      }
    }
    this.#keep(bytes, from, lines)
    if (empty > 0) lines.unshift({ fault: 'empty', lines: empty })
    return lines
  }

  /** Puts what a read of so many bytes counts as before its lines. */
  charge(read: number, lines: Incoming[]): Incoming[] {
    this.#bytes += lines.length === 0 ? Math.max(read, PIECE_BYTES) : read
    if (this.#bytes < LINE_BYTES) return lines
    lines.unshift({ fault: 'empty', lines: Math.floor(this.#bytes / LINE_BYTES) })
    this.#bytes %= LINE_BYTES
    return lines
  }

  /** Keeps an unfinished line while it may still become a valid one. */
  #keep(bytes: Buffer, from: number, lines: Incoming[]): void {
    this.#rest = NOTHING
    if (from === bytes.length) return
    if (this.#skipped > 0) this.#skipped += bytes.length - from
    else if (isOverlong(bytes, from, withoutCr(bytes, from, bytes.length))) {
      lines.push(overlong(bytes, from))
      this.#skipped = bytes.length - from
    } else {
      // A copy: the chunk may lie in a large pool that would otherwise stay alive.
      this.#rest = Buffer.from(bytes.subarray(from))
    }
    if (this.#skipped > ENDLESS) lines.push({ fault: 'endless' })
  }
}

const LF = 10
const CR = 13
const AT = 64
const SPACE = 32

/** How many bytes the empty line there has, with its end; 0 if there is none. */
function emptyAt(bytes: Buffer, at: number): number {
  if (bytes[at] === LF) return 1
  return bytes[at] === CR && bytes[at + 1] === LF ? 2 : 0
}

/** `isPlain`: all of `bytes` is ASCII. */
function decode(bytes: Buffer, from: number, end: number, isPlain: boolean): Incoming {
  if (isOverlong(bytes, from, end)) return overlong(bytes, from)
  if (isPlain) return clean(bytes.toString('latin1', from, end))
  const text = clean(bytes.toString('utf8', from, end))
  return isUtf8(bytes.subarray(from, end)) ? text : { fault: 'utf8', text }
}

/** The CR of a line ending does not count, whether or not the LF has come yet. */
function withoutCr(bytes: Buffer, from: number, end: number): number {
  return end > from && bytes[end - 1] === CR ? end - 1 : end
}

/** Without bare CR and NUL: passed on in somebody's line, a CR would forge a second one. */
function clean(text: string): string {
  return UNSENDABLE.test(text) ? text.replaceAll(UNSENDABLE_ALL, '') : text
}
// oxlint-disable-next-line no-control-regex -- the two that a line must not hold
const UNSENDABLE = /[\r\0]/
// oxlint-disable-next-line no-control-regex -- the same
const UNSENDABLE_ALL = /[\r\0]/g

/** Bytes, not characters: a limit in characters would let emoji through at four times the size. */
function isOverlong(bytes: Buffer, from: number, end: number): boolean {
  if (end - from <= BODY_BYTES) return false
  if (bytes[from] !== AT) return true
  const space = bytes.subarray(from, end).indexOf(SPACE)
  const tags = space === -1 ? end - from : space + 1
  return tags > CLIENT_TAG_BYTES || end - from - tags > BODY_BYTES
}

function overlong(bytes: Buffer, from: number): Incoming {
  const space = bytes.subarray(from, from + CLIENT_TAG_BYTES).indexOf(SPACE)
  const hasTags = bytes[from] === AT && space !== -1
  const tags = hasTags ? clean(bytes.toString('utf8', from, from + space + 1)) : ''
  return { fault: 'overlong', text: `${tags}*` }
}
