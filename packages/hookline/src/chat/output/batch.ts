// Lines that belong together: in a batch for those who can read one, plain for the others.
// https://ircv3.net/specs/extensions/batch
import { CAP } from '../../irc/caps.ts'
import { formatBody } from '../../irc/message.ts'
import type { Telling } from './line.ts'

export interface BatchFields {
  readonly source: string
  readonly ref: string
  readonly type: string
  readonly params?: readonly string[]
  readonly lines: readonly Telling[]
  /** More of it follows, and `closing` ends it. */
  readonly isLeftOpen?: boolean
}

/** One answer, so a label stands on its opening and nowhere else. */
export class Batch implements Telling {
  readonly #fields: BatchFields

  constructor(fields: BatchFields) {
    this.#fields = fields
  }

  form(caps: number): string {
    return this.formWith(caps, '')
  }

  formWith(caps: number, tag: string): string {
    const { source, ref, type, params = [], lines, isLeftOpen = false } = this.#fields
    if ((caps & CAP.batch) === 0) return lines.map((line) => line.formWith(caps, tag)).join('')
    const tags = tag === '' ? '' : `@${tag} `
    return (
      `${tags}${formatBody(source, 'BATCH', [`+${ref}`, type, ...params])}\r\n` +
      lines.map((line) => line.formWith(caps, `batch=${ref}`)).join('') +
      (isLeftOpen ? '' : `${formatBody(source, 'BATCH', [`-${ref}`])}\r\n`)
    )
  }
}
