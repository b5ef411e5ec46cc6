// What a bot says to a payload, as a text file that is kept and compared: `golden/github/push.txt` of its folder.
import type { Composed } from '../message/composed.ts'
import { isFallback } from '../message/fallback.ts'
import { reasonIn } from '../handlers/reason.ts'

/**
 * The lines as they are said, then one `# …` line for each thing that a reader would not see: a fallback, what was
 * missing, where else it is said, its thread, or why nothing is said. Invisible characters are written `\x02`,
 * `\u{200b}`; a backslash is `\\`, and a line of the message that begins with `#` begins with `\#`, so that the two
 * can be told apart.
 */
export function goldenOf(composed: Composed): string {
  return [...saidLines(composed), ...remarks(composed).map((text) => `# ${visible(text)}`)]
    .map((line) => `${line}\n`)
    .join('')
}

/** Escapes what a file or a terminal would hide. */
function visible(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll(HIDDEN, (character) => {
    const code = (character.codePointAt(0) ?? 0).toString(16)
    return code.length <= 2 ? `\\x${code.padStart(2, '0')}` : `\\u{${code}}`
  })
}

// Control and format characters, line and paragraph separators, and a space at the end, which editors remove. The joiner
// of emoji stays: it shows.
const HIDDEN = /[[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]--[\u200d]]| $/gv

function saidLines(composed: Composed): string[] {
  if (composed.kind !== 'message') return []
  return composed.text.split('\n').map((line) => visible(line).replace(/^#/, '\\#'))
}

function remarks(composed: Composed): string[] {
  const missing = (composed.unresolved ?? []).map((token) => `no value for {${token}}`)
  switch (composed.kind) {
    case 'message': {
      const { composedBy, destination, thread } = composed
      const channels = destination?.channels.join(' ') || 'no channel'
      const where = destination && `in ${channels}${wakes(destination.mention)}`
      return [
        ...(isFallback(composedBy) ? [composedBy] : []),
        ...missing,
        ...(where === undefined ? [] : [where]),
        ...(thread === undefined ? [] : [`its thread: ${thread}`]),
      ]
    }
    case 'skip':
      return [`skipped: ${composed.reason}`, ...missing]
    case 'failed':
      // Without the lines around it, which name files and numbers that change with every edit.
      return [`failed: ${reasonIn(composed.error)}`, ...missing]
  }
}

function wakes(mention: string | null | undefined): string {
  if (mention === undefined) return ''
  return mention === null ? ', waking nobody' : `, waking ${mention}`
}
