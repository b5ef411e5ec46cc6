// The form of what a delivery says: lines that fit, the word to whom it mentions, the mark on what comes late.
import { cutText, splitText } from '../irc/split.ts'
import { formatMinute } from '../irc/time.ts'

export interface Fit {
  /** Bytes a line may have. */
  readonly room: number
  readonly maxLines: number
  /** Named where lines are left out: the whole text is in its record. */
  readonly delivery: string
}

export interface Lines {
  readonly lines: readonly string[]
  /** The last line says how many more there were. */
  readonly isCut: boolean
}

/** The lines in which `text` is said, blank ones left out. */
export function toLines(text: string, { room, maxLines, delivery }: Fit): Lines {
  const lines: string[] = []
  let more = 0
  for (const line of text.split(/[\r\n]+/)) {
    if (line.trim() === '') continue
    if (lines.length > maxLines) {
      more += linesIn(line, room)
      continue
    }
    // Cutting between graphemes is slow, so only what may be shown is cut; the rest is counted by its bytes.
    const head = line.slice(0, (maxLines + 1) * room)
    lines.push(...splitText(head, room))
    if (head.length < line.length) more += linesIn(line.slice(head.length), room)
  }
  const total = lines.length + more
  if (total <= maxLines) return { lines, isCut: false }
  const shown = lines.slice(0, Math.max(1, maxLines - 1))
  const mark = `… (+${total - shown.length} lines, delivery ${delivery})`
  if (maxLines > 1) return { lines: [...shown, mark], isCut: true }
  // The only line is for both.
  const first = cutText(shown[0] ?? '', room - Buffer.byteLength(` ${mark}`))
  return { lines: [`${first} ${mark}`], isCut: true }
}

/** One line for the agent that is woken. */
export function mentionLine(bot: string, channel: string, text: string, room: number): string {
  const line = `${bot} mentioned you in ${channel}: ${text.slice(0, room).replaceAll(/[\r\n]+/g, ' ')}`
  if (text.length <= room && Buffer.byteLength(line) <= room) return line
  return `${cutText(line, room - ellipsisBytes)}…`
}

/** `[2026-04-03 09:15 UTC] ` */
export function lateMark(time: number): string {
  return `[${formatMinute(time)}] `
}

const ellipsisBytes = 3

function linesIn(line: string, room: number): number {
  return Math.ceil(Buffer.byteLength(line) / room)
}
