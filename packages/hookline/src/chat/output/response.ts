// The answer to a labelled command: nothing becomes ACK, one line carries the label, several go in a batch.
// https://ircv3.net/specs/extensions/labeled-response
import { CAPS } from '../../irc/caps.ts'
import { formatBody } from '../../irc/message.ts'
import { byteLength } from '../../irc/split.ts'
import { formatTag, type Tags } from '../../irc/tags.ts'
import { batchEnd } from './batch.ts'
import type { Telling } from './line.ts'

export class Response {
  readonly #label: string
  /** Names the batch, if one is needed. */
  readonly #ref: string
  /** Carries the label itself if it is all. */
  #first: Telling | undefined
  /** What follows the first, written for the batch. */
  #others = ''
  /** Parts of the answer still being sent. */
  #held = 0
  #isOpen = false

  constructor(label: string, ref: string) {
    this.#label = formatTag('label', label)
    this.#ref = ref
  }

  /** How much will be written, the first telling aside. */
  get size(): number {
    return this.#others.length
  }

  /** For a session with `caps`. */
  add(telling: Telling, caps: number): void {
    if (this.#first === undefined && !this.#isOpen) this.#first = telling
    else this.#others += telling.formWith(caps, this.#inside)
  }

  /** More of it follows in later turns: it ends when `release` was called as often. */
  hold(): void {
    this.#held++
  }

  release(): void {
    this.#held--
  }

  /** What was added since the last call, for a session with `caps`. */
  write(server: string, caps: number): string {
    const [first, others] = [this.#first, this.#others]
    if (!this.#isOpen && this.#held === 0 && others === '')
      return first?.formWith(caps, this.#label) ?? `@${this.#label} ${formatBody(server, 'ACK', [])}\r\n`
    const opening = this.#isOpen
      ? ''
      : `@${this.#label} ${formatBody(server, 'BATCH', [`+${this.#ref}`, 'labeled-response'])}\r\n`
    this.#isOpen = true
    this.#first = undefined
    this.#others = ''
    const closing = this.#held > 0 ? '' : batchEnd(server, this.#ref, '')
    return opening + (first?.formWith(caps, this.#inside) ?? '') + others + closing
  }

  get #inside(): string {
    return `batch=${this.#ref}`
  }
}

const LABEL_BYTES = 64

/** A label counts if the client has its capability and `batch`. */
export function labelOf(caps: number, tags: Tags): string | undefined {
  const label = tags.get('label')
  if (label === undefined || label === '' || byteLength(label) > LABEL_BYTES) return undefined
  return mayBeLabelled(caps) ? label : undefined
}

export function mayBeLabelled(caps: number): boolean {
  return (caps & CAPS['labeled-response']) !== 0 && (caps & CAPS.batch) !== 0
}

/** What `session` is sent in its next turns. */
export interface Rest {
  /** Unfinished answers, in order. */
  readonly tasks: Task[]
  /** Resolves when nothing is left, or the session is closed. */
  readonly told: Promise<void>
}

/** Each step sends something to the session, or nothing. */
export type Steps = Iterator<unknown>

export interface Task {
  readonly steps: Steps
  /** The answer it belongs to, if the command was labelled. */
  readonly response: Response | undefined
}
