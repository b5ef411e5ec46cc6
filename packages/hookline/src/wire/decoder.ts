// Bytes to lines. What is too long is told once and dropped to its end: its tail is never taken for a line.
import { isAscii, isUtf8 } from 'node:buffer'
import type { Incoming } from '../irc/message.ts'
import { TAG_LIMITS } from '../irc/tags.ts'

/** Bytes of the part after the tags, with CR LF (RFC 2812 2.3). */
const BODY_LIMIT = 512
/** Without a line's end by then, nobody at the other side speaks IRC. */
export const ENDLESS = 16_384

export class LineDecoder {
  /** The beginning of a line whose end has not come. */
  #rest: Buffer = Buffer.alloc(0)
  /** Bytes of an overlong line seen so far; its end is still to come. */
  #skipped = 0

  push(chunk: Buffer): Incoming[] {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk])
    const lines: Incoming[] = []
    let from = 0
    for (let end = bytes.indexOf(LF); end !== -1; end = bytes.indexOf(LF, from)) {
      if (this.#skipped > 0) this.#skipped = 0
      else if (end - from > ENDLESS) lines.push({ fault: 'endless' })
      else {
        const line = decode(bytes, from, end)
        if (line !== '') lines.push(line)
      }
      from = end + 1
    }
    this.#keep(bytes.subarray(from), lines)
    return lines
  }

  /** Keeps an unfinished line while it may still become a good one. */
  #keep(rest: Buffer, lines: Incoming[]): void {
    if (this.#skipped > 0) {
      this.#skipped += rest.length
      this.#rest = NOTHING
    } else if (isOverlong(withoutCr(rest))) {
      lines.push({ fault: 'overlong' })
      this.#skipped = rest.length
      this.#rest = NOTHING
    } else {
      // A copy: the chunk it lies in may be a large pool that would otherwise stay alive.
      this.#rest = rest.length === 0 ? NOTHING : Buffer.from(rest)
    }
    if (this.#skipped > ENDLESS) lines.push({ fault: 'endless' })
  }
}

const NOTHING = Buffer.alloc(0)
const LF = 10
const CR = 13
const AT = 64
const SPACE = 32

function decode(bytes: Buffer, from: number, end: number): Incoming {
  const line = withoutCr(bytes.subarray(from, end))
  if (isOverlong(line)) return { fault: 'overlong' }
  if (isAscii(line)) return clean(line.toString('latin1'))
  if (isUtf8(line)) return clean(line.toString('utf8'))
  return { fault: 'utf8', text: clean(line.toString('utf8')) }
}

/** The CR of a line's end does not count, whether or not the LF has come yet. */
function withoutCr(line: Buffer): Buffer {
  return line.at(-1) === CR ? line.subarray(0, -1) : line
}

/** A bare CR or a NUL cannot be passed on: in another's line it would forge a second one. */
function clean(text: string): string {
  return UNSENDABLE.test(text) ? text.replaceAll(UNSENDABLE_ALL, '') : text
}
// oxlint-disable-next-line no-control-regex -- the two that a line must not hold
const UNSENDABLE = /[\r\0]/
// oxlint-disable-next-line no-control-regex -- the same
const UNSENDABLE_ALL = /[\r\0]/g

/** Bytes, not characters: a limit in characters would let emoji through at four times the size. */
function isOverlong(line: Buffer): boolean {
  if (line.length <= BODY_LIMIT - 2) return false
  if (line[0] !== AT) return true
  const space = line.indexOf(SPACE)
  const tags = space === -1 ? line.length : space + 1
  return tags > TAG_LIMITS.client || line.length - tags > BODY_LIMIT - 2
}
