// The answer to a labelled command: nothing becomes ACK, one line carries the label, several go in a batch.
// https://ircv3.net/specs/extensions/labeled-response
import { CAP } from '../../irc/caps.ts'
import { formatBody } from '../../irc/message.ts'
import { byteLength } from '../../irc/split.ts'
import { formatTag, type Tags } from '../../irc/tags.ts'
import type { Telling } from './line.ts'

export class Response {
  readonly #label: string
  readonly #tellings: Telling[] = []

  constructor(label: string) {
    this.#label = formatTag('label', label)
  }

  add(telling: Telling): void {
    this.#tellings.push(telling)
  }

  /** Everything at once, for a session with `caps`. `ref` names the batch if one is needed. */
  write(server: string, caps: number, ref: string): string {
    const [first, ...rest] = this.#tellings
    if (first === undefined) return `@${this.#label} ${formatBody(server, 'ACK', [])}\r\n`
    if (rest.length === 0) return first.formWith(caps, this.#label)
    const inside = `batch=${ref}`
    return (
      `@${this.#label} ${formatBody(server, 'BATCH', [`+${ref}`, 'labeled-response'])}\r\n` +
      this.#tellings.map((telling) => telling.formWith(caps, inside)).join('') +
      `${formatBody(server, 'BATCH', [`-${ref}`])}\r\n`
    )
  }
}

const LABEL_BYTES = 64

/** A label counts where the client has asked for its capability and for `batch`. */
export function labelOf(caps: number, tags: Tags): string | undefined {
  const label = tags.get('label')
  if (label === undefined || label === '' || byteLength(label) > LABEL_BYTES) return undefined
  return mayBeLabelled(caps) ? label : undefined
}

export function mayBeLabelled(caps: number): boolean {
  return (caps & CAP['labeled-response']) !== 0 && (caps & CAP.batch) !== 0
}
