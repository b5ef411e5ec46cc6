// What a tool prints, within bounds: it may print for ever, and we keep and pass on only so much.
import type { Readable } from 'node:stream'

const MOST_CHARS = 256 * 1024
const MOST_LINES = 2000
const LONGEST_LINE = 2000
const LAST_LINES = 20

/** All of it up to the bound. The rest is read, so that the tool does not wait for us, and dropped. */
export async function collectText(stream: Readable): Promise<string> {
  let text = ''
  let isCut = false
  for await (const chunk of textOf(stream)) {
    isCut ||= text.length + chunk.length > MOST_CHARS
    text = (text + chunk).slice(0, MOST_CHARS)
  }
  return isCut ? `${text}\n… the rest was dropped` : text
}

/** Tells each line as it comes, and gives the last ones. Empty ones do not count. */
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
    // A line without an end grows no further than what is shown of it.
    open = (lines.pop() ?? '').slice(0, LONGEST_LINE)
    for (const line of lines) take(line)
  }
  take(open)
  return last
}

/** A stream that was given up ends like one that came to its end. */
async function* textOf(stream: Readable): AsyncGenerator<string> {
  stream.setEncoding('utf8')
  try {
    for await (const chunk of stream) yield String(chunk)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error
  }
}
