// A message's text and the lines in which it is sent: one that is too long for a line continues in the next.
import { splitText } from '../irc/split.ts'

/** Lines of one message. `isJoined` lines continue the one before, without a line break. */
export interface SaidLine {
  readonly text: string
  readonly isJoined: boolean
}

/** The lines as one text, with LF between those that are not joined. */
export function textOf(lines: readonly SaidLine[]): string {
  return lines.map(({ text, isJoined }, i) => (i === 0 || isJoined ? text : `\n${text}`)).join('')
}

/** The text in lines of at most `room` bytes. */
export function linesOf(text: string, room: number): SaidLine[] {
  return text
    .split('\n')
    .flatMap((line) =>
      splitText(line, Math.max(room, SHORTEST)).map((piece, i) => ({ text: piece, isJoined: i > 0 })),
    )
}

/** Where names leave hardly any room, each line still holds at least one character. */
const SHORTEST = 4
