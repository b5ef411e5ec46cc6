// A message of several lines: one batch for those who can read it, plain lines for the others.
// https://ircv3.net/specs/extensions/multiline
import { CAPS, SHAPING } from '../../irc/caps.ts'
import { formatBody } from '../../irc/message.ts'
import type { SaidLine } from '../saidlines.ts'
import { batchEnd } from './batch.ts'
import { type LineFields, tagSection, type Telling } from './line.ts'

export interface LongMessage extends Omit<LineFields, 'source' | 'params' | 'extendedParams'> {
  readonly target: string
  readonly lines: readonly SaidLine[]
}

export class MessageTelling implements Telling {
  readonly #source: string
  readonly #message: LongMessage
  readonly #ref: string
  readonly #forms = new Map<number, string>()

  constructor(source: string, message: LongMessage, ref: string) {
    this.#source = source
    this.#message = message
    this.#ref = ref
  }

  form(caps: number): string {
    const wanted = caps & SHAPING
    let form = this.#forms.get(wanted)
    if (form === undefined) {
      form = this.formWith(wanted, '')
      this.#forms.set(wanted, form)
    }
    return form
  }

  formWith(caps: number, tag: string): string {
    const readsBatches = (caps & CAPS['draft/multiline']) !== 0 && (caps & CAPS.batch) !== 0
    return readsBatches ? this.#asBatch(caps, tag) : this.#asLines(caps, tag)
  }

  #asBatch(caps: number, tag: string): string {
    const { command, target, lines } = this.#message
    const inside = lines.map(({ text, isJoined }) => {
      const joined = isJoined ? ';draft/multiline-concat' : ''
      return `@batch=${this.#ref}${joined} ${formatBody(this.#source, command, [target, text])}\r\n`
    })
    return (
      `${tagSection(caps, this.#message, tag)}${formatBody(this.#source, 'BATCH', [`+${this.#ref}`, 'draft/multiline', target])}\r\n` +
      inside.join('') +
      batchEnd(this.#source, this.#ref, tag)
    )
  }

  /** Blank lines are left out; msgid stands on the first line only, as it must name one message. */
  #asLines(caps: number, tag: string): string {
    const { command, target, lines } = this.#message
    const { id: _, ...rest } = this.#message
    const labelled = tag.startsWith('label=') ? '' : tag
    return lines
      .filter(({ text }) => text !== '')
      .map(({ text }, i) => {
        const tags = i === 0 ? tagSection(caps, this.#message, tag) : tagSection(caps, rest, labelled)
        return `${tags}${formatBody(this.#source, command, [target, text])}\r\n`
      })
      .join('')
  }
}
