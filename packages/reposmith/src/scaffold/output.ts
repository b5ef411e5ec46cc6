// Collects a tool's output, bounded: a tool may print for ever.
import type { Readable } from 'node:stream'
import { codeOf } from '../thrown.ts'

const MOST_CHARS = 256 * 1024
const MOST_LINES = 2000
const LONGEST_LINE = 2000
const LAST_LINES = 20

/** All text up to the bound. The rest is read, so that the tool does not block, and dropped. */
export async function collectText(stream: Readable): Promise<string> {
  let text = ''
  let isCut = false
  for await (const chunk of textOf(stream)) {
    isCut ||= text.length + chunk.length > MOST_CHARS
    text = (text + chunk).slice(0, MOST_CHARS)
  }
  return isCut ? `${text}\n… the rest was dropped` : text
}

/** Reports each line as it comes, and returns the last ones. Empty lines are ignored. */
export async function eachLine(stream: Readable, tell: (line: string) => void): Promise<readonly string[]> {
  let open = ''
  const last: string[] = []
  let told = 0
  const take = (line: string): void => {
    if (line.trim() === '') return
    const shown = line.slice(0, LONGEST_LINE)
    last.push(shown)
    if (last.length > LAST_LINES) last.shift()
    told++
    if (told <= MOST_LINES) tell(shown)
    if (told === MOST_LINES + 1) tell('… further lines are not shown')
  }
  for await (const chunk of textOf(stream)) {
    const lines = (open + chunk).split(/\r\n|\n|\r/)
    // An unfinished line is kept only up to the length that is shown.
    open = (lines.pop() ?? '').slice(0, LONGEST_LINE)
    for (const line of lines) take(line)
  }
  take(open)
  return last
}

/** A stream that was destroyed ends like one that was complete. */
async function* textOf(stream: Readable): AsyncGenerator<string> {
  stream.setEncoding('utf8')
  try {
    for await (const chunk of stream) yield String(chunk)
  } catch (error) {
    if (codeOf(error) !== 'ERR_STREAM_PREMATURE_CLOSE') throw error
  }
}
