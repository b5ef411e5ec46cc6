// A key of somebody's metadata, as it is now. The drafts differ in form: metadata-3 sends the numerics that answer GET.
// https://ircv3.net/specs/extensions/metadata, https://github.com/ircv3/ircv3-specifications/pull/613
import { CAPS } from '../../irc/caps.ts'
import * as numerics from '../../irc/numerics.ts'
import type { Chat } from '../chat.ts'
import { Line, type Telling } from './line.ts'

/** One for all recipients, so the numerics have `*` in place of the recipient's nick. */
export class KeyTelling implements Telling {
  readonly #numeric: Line
  readonly #message: Line

  /** `target`: whose it is, as shown. `value` null: it is no longer set. */
  constructor({ settings: { name: source } }: Chat, target: string, key: string, value: string | null) {
    const { code, text = '' } = value === null ? numerics.RPL_KEYNOTSET : numerics.RPL_KEYVALUE
    const shown = value === null ? [text] : [VISIBILITY, value]
    this.#numeric = new Line({ source, command: code, params: ['*', target, key, ...shown] })
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
