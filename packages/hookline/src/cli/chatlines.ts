// How a message looks on the terminal: `12:03 <spark-ori-ghci> text`.
import type { SpokenView } from '../control/outputs.ts'
import { colour, inert } from './terminal.ts'

/** One message; its further lines stand below the first. With `channel` it says where. */
export function spokenLine(spoken: SpokenView, options: { channel: boolean }): string {
  const at = new Date(spoken.time)
  const clock = `${two(at.getHours())}:${two(at.getMinutes())}`
  const where = options.channel ? `${inert(spoken.channel)} ` : ''
  const who = inert(spoken.from)
  const shown = spoken.command === 'NOTICE' ? `-${who}-` : `<${who}>`
  const [first = '', ...more] = inert(spoken.text).split('\n')
  const head = `${colour('dim', clock)} ${where}${colour(spoken.bot ? 'cyan' : 'bold', shown)} ${first}`
  return [head, ...more.map((line) => `      ${line}`)].join('\n')
}

function two(number: number): string {
  return String(number).padStart(2, '0')
}
