// Formats what a delivery says: lines that fit, the notice to whom it mentions, the time mark on late messages.
import { linesOf, type SaidLine, textOf } from '../chat/saidlines.ts'
import { cutText } from '../irc/split.ts'
import { formatMinute } from '../irc/time.ts'

export interface Fit {
  /** Most bytes per line. */
  readonly room: number
  readonly maxLines: number
  /** Named where lines are cut: its record has the whole text. */
  readonly delivery: string
}

export interface Fitting {
  /** Lines joined by LF. One that is longer than the room is sent as several, and counts as those. */
  readonly text: string
  /** The last line counts the lines that were cut. */
  readonly isCut: boolean
}

/** What is shown of `text`, without blank lines. */
export function fitText(text: string, { room, maxLines, delivery }: Fit): Fitting {
  const lines: SaidLine[] = []
  let more = 0
  for (const line of text.split(/[\r\n]+/)) {
    if (line.trim() === '') continue
    if (lines.length > maxLines) {
      more += linesIn(line, room)
      continue
    }
    // Splitting at graphemes is slow, so only what may be shown is split; the rest is counted by its bytes.
    const head = line.slice(0, (maxLines + 1) * room)
    lines.push(...linesOf(head, room))
    if (head.length < line.length) more += linesIn(line.slice(head.length), room)
  }
  const total = lines.length + more
  if (total <= maxLines) return { text: textOf(lines), isCut: false }
  const shown = lines.slice(0, Math.max(1, maxLines - 1))
  const mark = `… (+${total - shown.length} lines, delivery ${delivery})`
  if (maxLines > 1) return { text: `${textOf(shown)}\n${mark}`, isCut: true }
  // The only line holds both text and mark.
  const first = cutText(textOf(shown), room - Buffer.byteLength(` ${mark}`))
  return { text: `${first} ${mark}`, isCut: true }
}

/** The one line that wakes an agent. */
export function mentionLine(bot: string, channel: string, text: string, room: number): string {
  const line = `${bot} mentioned you in ${channel}: ${text.slice(0, room).replaceAll(/[\r\n]+/g, ' ')}`
  if (text.length <= room && Buffer.byteLength(line) <= room) return line
  return `${cutText(line, room - ELLIPSIS_BYTES)}…`
}

/** `[2026-04-03 09:15 UTC] ` */
export function lateMark(time: number): string {
  return `[${formatMinute(time)}] `
}

const ELLIPSIS_BYTES = 3

function linesIn(line: string, room: number): number {
  return Math.ceil(Buffer.byteLength(line) / room)
}
