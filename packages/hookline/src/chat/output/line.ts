// One line to many people: written once for each set of capabilities that changes it.
import { CAPS, SHAPING, TAGGED } from '../../irc/caps.ts'
import { BODY_BYTES, formatBody } from '../../irc/message.ts'
import { byteLength, cutText } from '../../irc/split.ts'
import { formatTag, NO_TAGS } from '../../irc/tags.ts'
import { formatTime } from '../../irc/time.ts'

export const RELAY_TAG = 'draft/relaymsg'

/** Something that can be sent to a session: its lines, with their CRLFs, in the form that its capabilities ask for. */
export interface Telling {
  form(caps: number): string
  /** The same with one more tag on its first line, and on all lines outside a batch of its own. */
  formWith(caps: number, tag: string): string
}

export interface LineFields {
  /** Undefined only for ERROR and PING, which come from the server as the other end of the connection. */
  readonly source: string | undefined
  readonly command: string
  readonly params: readonly string[]
  /** What a session with `extended-join` gets instead. */
  readonly extendedParams?: readonly string[]
  /** For `server-time`. */
  readonly at?: number | undefined
  /** For `account-tag`: the account of whoever caused it. */
  readonly account?: string | null
  /** For `message-tags`: */
  readonly id?: string | undefined
  readonly isBot?: boolean
  /** The webhook delivery that caused it: `bot why` and `bot replay` take it. */
  readonly delivery?: string | undefined
  /** The nick of the user who speaks for another, for `message-tags` and `draft/relaymsg`. */
  readonly relayedBy?: string | undefined
  readonly clientTags?: Iterable<readonly [string, string]>
}

export class Line implements Telling {
  readonly #fields: LineFields
  #caps = -1
  #form = ''
  #forms: Map<number, string> | undefined

  constructor(fields: LineFields) {
    this.#fields = fields
  }

  form(caps: number): string {
    const wanted = caps & SHAPING
    if (wanted === this.#caps) return this.#form
    let form = this.#forms?.get(wanted)
    if (form === undefined) {
      form = this.#write(wanted)
      this.#forms ??= new Map()
      this.#forms.set(wanted, form)
    }
    this.#caps = wanted
    this.#form = form
    return form
  }

  formWith(caps: number, tag: string): string {
    const wanted = caps & SHAPING
    const form = wanted === this.#caps ? this.#form : this.#write(wanted)
    if (tag === '') return form
    return form.startsWith('@') ? `@${tag};${form.slice(1)}` : `@${tag} ${form}`
  }

  #write(caps: number): string {
    const { source, command, params, extendedParams } = this.#fields
    const isExtended = extendedParams !== undefined && (caps & CAPS['extended-join']) !== 0
    const body = fittingBody(source, command, isExtended ? extendedParams : params)
    return `${tagSection(caps, this.#fields, '')}${body}\r\n`
  }
}

/** The last parameter, such as a topic or a reason, is cut to fit. */
function fittingBody(source: string | undefined, command: string, params: readonly string[]): string {
  const body = formatBody(source, command, params)
  if (body.length * 3 <= BODY_BYTES) return body
  const excess = byteLength(body) - BODY_BYTES
  const last = params.at(-1)
  if (excess <= 0 || last === undefined) return body
  return formatBody(source, command, [...params.slice(0, -1), cutText(last, byteLength(last) - excess)])
}

/** `@time=…;msgid=… `, or nothing. Server tags first, then the client's. */
export function tagSection(
  caps: number,
  fields: Omit<LineFields, 'source' | 'command' | 'params'>,
  first: string,
): string {
  if ((caps & TAGGED) === 0 && first === '') return ''
  const { at, account, id, isBot, delivery, relayedBy, clientTags = NO_TAGS } = fields
  let tags = first
  if (at !== undefined && (caps & CAPS['server-time']) !== 0)
    tags += `${separator(tags)}time=${formatTime(at)}`
  if (account != null && (caps & CAPS['account-tag']) !== 0) {
    tags += separator(tags) + formatTag('account', account)
  }
  if (relayedBy !== undefined && (caps & (CAPS['message-tags'] | CAPS['draft/relaymsg'])) !== 0)
    tags += separator(tags) + formatTag(RELAY_TAG, relayedBy)
  if ((caps & CAPS['message-tags']) !== 0) {
    if (id !== undefined) tags += `${separator(tags)}msgid=${id}`
    if (isBot) tags += `${separator(tags)}bot`
    if (delivery !== undefined) tags += `${separator(tags)}hookline.internal/delivery=${delivery}`
    for (const [name, value] of clientTags) tags += separator(tags) + formatTag(name, value)
  }
  return tags === '' ? '' : `@${tags} `
}

function separator(tags: string): string {
  return tags === '' ? '' : ';'
}

/** Bytes left for a text after what precedes it in a line. */
export function roomFor(source: string, command: string, target: string): number {
  return BODY_BYTES - byteLength(`:${source} ${command} ${target} :`)
}
