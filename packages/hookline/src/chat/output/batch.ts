// Lines that belong together: a batch for those who can read one, plain lines for the others.
// https://ircv3.net/specs/extensions/batch
import { CAPS } from '../../irc/caps.ts'
import { formatBody } from '../../irc/message.ts'
import type { Telling } from './line.ts'

export interface BatchFields {
  readonly source: string
  /** Unique among the connection's open batches. */
  readonly ref: string
  readonly type: string
  readonly params?: readonly string[]
  readonly lines: readonly Telling[]
  /** A tag on the opening, for those who read tags. */
  readonly tag?: string | undefined
  /** False if another part opened it, or will close it. */
  readonly opens?: boolean
  readonly closes?: boolean
}

/** One answer, so a label stands on its opening only. */
export class Batch implements Telling {
  readonly #fields: BatchFields

  constructor(fields: BatchFields) {
    this.#fields = fields
  }

  form(caps: number): string {
    return this.formWith(caps, '')
  }

  formWith(caps: number, tag: string): string {
    const { source, ref, type, params = [], lines, opens = true, closes = true } = this.#fields
    if ((caps & CAPS.batch) === 0) return lines.map((line) => line.formWith(caps, tag)).join('')
    return (
      (opens
        ? `${this.#openingTags(caps, tag)}${formatBody(source, 'BATCH', [`+${ref}`, type, ...params])}\r\n`
        : '') +
      lines.map((line) => line.formWith(caps, `batch=${ref}`)).join('') +
      (closes ? batchEnd(source, ref, tag) : '')
    )
  }

  #openingTags(caps: number, tag: string): string {
    const { tag: own = '' } = this.#fields
    const tags = [tag, (caps & CAPS['message-tags']) === 0 ? '' : own].filter((each) => each !== '')
    return tags.length === 0 ? '' : `@${tags.join(';')} `
  }
}

/** The end of a nested batch carries the tag of the outer one. */
export function batchEnd(source: string, ref: string, tag: string): string {
  const tags = tag.startsWith('batch=') ? `@${tag} ` : ''
  return `${tags}${formatBody(source, 'BATCH', [`-${ref}`])}\r\n`
}
