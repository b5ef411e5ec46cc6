// Lines that belong together: in a batch for those who can read one, plain for the others.
// https://ircv3.net/specs/extensions/batch
import { CAP } from '../../irc/caps.ts'
import { formatBody } from '../../irc/message.ts'
import type { Session } from '../session.ts'
import type { Chat } from '../spine.ts'
import type { Telling } from './line.ts'

export interface BatchFields {
  readonly source: string
  /** No other batch of the connection has it while this one is open. */
  readonly ref: string
  readonly type: string
  readonly params?: readonly string[]
  readonly lines: readonly Telling[]
  /** A tag of the opening, for those who read tags. */
  readonly tag?: string | undefined
  /** False where it was opened, or will be closed, by another part. */
  readonly opens?: boolean
  readonly closes?: boolean
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
    const { source, ref, type, params = [], lines, opens = true, closes = true } = this.#fields
    if ((caps & CAP.batch) === 0) return lines.map((line) => line.formWith(caps, tag)).join('')
    return (
      (opens
        ? `${this.#openingTags(caps, tag)}${formatBody(source, 'BATCH', [`+${ref}`, type, ...params])}\r\n`
        : '') +
      lines.map((line) => line.formWith(caps, `batch=${ref}`)).join('') +
      (closes ? `${closingTags(tag)}${formatBody(source, 'BATCH', [`-${ref}`])}\r\n` : '')
    )
  }

  #openingTags(caps: number, tag: string): string {
    const { tag: own = '' } = this.#fields
    const tags = [tag, (caps & CAP['message-tags']) === 0 ? '' : own].filter((each) => each !== '')
    return tags.length === 0 ? '' : `@${tags.join(';')} `
  }
}

/** What is in another batch ends in it, too. */
export function closingTags(tag: string): string {
  return tag.startsWith('batch=') ? `@${tag} ` : ''
}

/** Of the send queue, what one part of a batch may take, and what may lie there unread when it is written. */
const SHARE = 1 / 4
/** 512, and the tag of the batch. */
const LINE_BYTES = 544
const PAUSE_MS = 50

/**
 * A batch of any length, at the pace at which it is read: however long, it does not fill the send queue. False, and nothing
 * is written, while another is under way or too much else lies unread.
 */
export function pour(
  chat: Chat,
  session: Session,
  { type, params, lines }: { type: string; params: readonly string[]; lines: Iterable<Telling> },
): boolean {
  const share = chat.settings.limits.sendQueueBytes * SHARE
  const room = Math.floor(share / LINE_BYTES)
  if (session.isPouring || session.outbox.unread > share) return false
  const batch = { source: chat.settings.name, ref: chat.newBatch(), type, params }
  const rest = lines[Symbol.iterator]()
  const first = take(rest, room)
  session.send(new Batch({ ...batch, lines: first.lines, closes: first.isLast }))
  if (first.isLast) return true
  session.isPouring = true
  // An answer that it is a part of does not end before it.
  const { response } = session
  response?.hold()
  const goOn = (): void => {
    if (session.isClosed) return
    if (session.outbox.unread <= share) {
      const { lines: next, isLast } = take(rest, room)
      const part = new Batch({ ...batch, lines: next, opens: false, closes: isLast })
      if (isLast) response?.release()
      if (response === undefined) session.send(part)
      else {
        response.add(part)
        session.outbox.push(response.write(chat.settings.name, session.caps))
      }
      if (isLast) return void (session.isPouring = false)
    }
    chat.world.later(PAUSE_MS, goOn)
  }
  chat.world.later(PAUSE_MS, goOn)
  return true
}

function take(rest: Iterator<Telling>, room: number): { lines: Telling[]; isLast: boolean } {
  const lines: Telling[] = []
  while (lines.length < room) {
    const next = rest.next()
    if (next.done === true) return { lines, isLast: true }
    lines.push(next.value)
  }
  return { lines, isLast: false }
}
