// A key of somebody's metadata, as it is now. The drafts differ in form: metadata-3 sends the numerics that answer GET.
// https://ircv3.net/specs/extensions/metadata, https://github.com/ircv3/ircv3-specifications/pull/613
import { CAPS } from '../../irc/caps.ts'
import * as numerics from '../../irc/numerics.ts'
import { Line, type Telling } from './line.ts'

export interface KeyValue {
  readonly source: string
  /** Whose it is, as shown. */
  readonly target: string
  readonly key: string
  /** Null: it is no longer set. */
  readonly value: string | null
}

/** One for all recipients, so the numerics have `*` in place of the recipient's nick. */
export class KeyTelling implements Telling {
  readonly #numeric: Line
  readonly #message: Line

  constructor({ source, target, key, value }: KeyValue) {
    this.#numeric =
      value === null
        ? new Line({ source, ...KEY_NOT_SET, params: ['*', target, key, numerics.RPL_KEYNOTSET.text ?? ''] })
        : new Line({ source, ...KEY_VALUE, params: ['*', target, key, VISIBILITY, value] })
    const params = [target, key, VISIBILITY, ...(value === null ? [] : [value])]
    this.#message = new Line({ source, command: 'METADATA', params })
  }

  form(caps: number): string {
    return this.#chosen(caps).form(caps)
  }

  formWith(caps: number, tag: string): string {
    return this.#chosen(caps).formWith(caps, tag)
  }

  #chosen(caps: number): Line {
    return (caps & CAPS['draft/metadata-3']) === 0 ? this.#message : this.#numeric
  }
}

/** Whoever may see a target's metadata may see all of it. */
export const VISIBILITY = '*'

const KEY_VALUE = { command: numerics.RPL_KEYVALUE.code }
const KEY_NOT_SET = { command: numerics.RPL_KEYNOTSET.code }
