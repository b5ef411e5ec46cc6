// Formats messages for the terminal: `12:03 <spark-ori-ghci> text`.
import { colour, inert } from '../terminal.ts'
import type { PastView, RedactionView, SpokenView } from './message.ts'

/**
 * In the given order. Each day but today is named before its first message, as a clock time alone would be taken for
 * today's.
 */
export function historyLines(messages: readonly PastView[]): readonly string[] {
  let day = dayOf(new Date())
  return messages.flatMap((message) => {
    const before = day
    day = dayOf(new Date(message.time))
    const line = spokenLine(message, { channel: false })
    return day === before ? [line] : [colour('dim', day), line]
  })
}

/** One message, with further lines below the first. `channel` adds the channel's name. */
export function spokenLine(
  spoken: SpokenView & { readonly redacted?: RedactionView | null },
  options: { channel: boolean },
): string {
  const at = new Date(spoken.time)
  const clock = `${two(at.getHours())}:${two(at.getMinutes())}`
  const where = options.channel ? `${inert(spoken.channel)} ` : ''
  const who = inert(spoken.from)
  const act = actOf(spoken.text)
  const shown = act !== undefined ? `* ${who}` : spoken.command === 'NOTICE' ? `-${who}-` : `<${who}>`
  const text = spoken.redacted ? colour('dim', takenBack(spoken.redacted)) : inert(act ?? spoken.text)
  const [first = '', ...more] = text.split('\n')
  const head = `${colour('dim', clock)} ${where}${colour(spoken.bot ? 'cyan' : 'bold', shown)} ${first}`
  return [head, ...more.map((line) => `      ${line}`)].join('\n')
}

/** The text of an action, by `/me`: `* ann puts the kettle on`. */
function actOf(text: string): string | undefined {
  return text.startsWith(ACTION) ? text.slice(ACTION.length).replaceAll('\u0001', '') : undefined
}

const ACTION = '\u0001ACTION '

/** `(retracted by ann: wrong room)`, in place of the text. */
export function takenBack({ by, reason }: RedactionView): string {
  return `(retracted by ${inert(by)}${reason === null ? '' : `: ${inert(reason).replaceAll('\n', ' ')}`})`
}

function dayOf(at: Date): string {
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
}

function two(number: number): string {
  return String(number).padStart(2, '0')
}
