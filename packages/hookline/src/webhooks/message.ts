// Formats what a delivery says: lines that fit, the notice to whom it mentions, the time mark on late messages.
import { cutText, splitText } from '../irc/split.ts'
import { formatMinute } from '../irc/time.ts'

export interface Fit {
  /** Most bytes per line. */
  readonly room: number
  readonly maxLines: number
  /** Named where lines are cut: its record has the whole text. */
  readonly delivery: string
}

export interface Lines {
  readonly lines: readonly string[]
  /** The last line counts the lines that were cut. */
  readonly isCut: boolean
}

/** Splits `text` into lines, without blank ones. */
export function toLines(text: string, { room, maxLines, delivery }: Fit): Lines {
  const lines: string[] = []
  let more = 0
  for (const line of text.split(/[\r\n]+/)) {
    if (line.trim() === '') continue
    if (lines.length > maxLines) {
      more += linesIn(line, room)
      continue
    }
    // Splitting at graphemes is slow, so only what may be shown is split; the rest is counted by its bytes.
    const head = line.slice(0, (maxLines + 1) * room)
    lines.push(...splitText(head, room))
    if (head.length < line.length) more += linesIn(line.slice(head.length), room)
  }
  const total = lines.length + more
  if (total <= maxLines) return { lines, isCut: false }
  const shown = lines.slice(0, Math.max(1, maxLines - 1))
  const mark = `… (+${total - shown.length} lines, delivery ${delivery})`
  if (maxLines > 1) return { lines: [...shown, mark], isCut: true }
  // The only line holds both text and mark.
  const first = cutText(shown[0] ?? '', room - Buffer.byteLength(` ${mark}`))
  return { lines: [`${first} ${mark}`], isCut: true }
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
