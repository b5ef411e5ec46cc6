// Splits a command line into words like a shell. No shell is started, so shell-only syntax is refused.
import { done, wrong, type Answer } from '../failure.ts'

/** `npm init "my tool"` → three words. */
export function splitWords(line: string): Answer<readonly string[]> {
  const words: string[] = []
  let rest = afterSpace(line)
  while (rest !== '') {
    const word: string[] = []
    while (rest !== '' && !/^[ \t\n]/.test(rest)) {
      const part = readPart(rest)
      if (!part.ok) return part
      word.push(part.output.text)
      rest = rest.slice(part.output.length)
    }
    words.push(word.join(''))
    rest = afterSpace(rest)
  }
  return done(words)
}

/** POSIX 2.2.1: a backslash at the end of a line continues it. */
function afterSpace(text: string): string {
  return text.replace(/^(?:[ \t\n]|\\\n)+/, '')
}

interface Part {
  readonly text: string
  /** Characters of the line that it takes. */
  readonly length: number
}

function readPart(rest: string): Answer<Part> {
  if (rest.startsWith("'")) return readSingleQuoted(rest)
  if (rest.startsWith('"')) return readDoubleQuoted(rest)
  return rest.startsWith('\\') ? readEscaped(rest) : readPlain(rest)
}

function readSingleQuoted(rest: string): Answer<Part> {
  const end = rest.indexOf("'", 1)
  return end < 0 ? unclosed("'") : done({ text: rest.slice(1, end), length: end + 1 })
}

function readDoubleQuoted(rest: string): Answer<Part> {
  const [all, inside = ''] = /^"((?:[^"\\]|\\[^])*)"/.exec(rest) ?? []
  if (all === undefined) return unclosed('"')
  const [, shell] = /^(?:[^\\$`]|\\[^])*([$`])/.exec(inside) ?? []
  if (shell !== undefined) return forShell(shell)
  // POSIX 2.2.3: within double quotes a backslash escapes only these, and drops a newline.
  return done({ text: inside.replaceAll(/\\(?:\n|([$`"\\]))/g, '$1'), length: all.length })
}

function readEscaped(rest: string): Answer<Part> {
  if (rest.length === 1) return unclosed('\\')
  const escaped = rest.charAt(1)
  return done({ text: escaped === '\n' ? '' : escaped, length: 2 })
}

/** Up to whatever has a meaning. */
function readPlain(rest: string): Answer<Part> {
  const [text] = /^[^ \t\n'"\\|&;<>$`]+/.exec(rest) ?? []
  return text === undefined ? forShell(rest.charAt(0)) : done({ text, length: text.length })
}

function unclosed(sign: string) {
  return wrong('usage', `--with ends inside ${sign}`, 'close it')
}

function forShell(sign: string) {
  const hint = `write '${sign}' in single quotes to mean the character, or put the commands into a script and name that`
  return wrong('usage', `--with has ${sign}, which only a shell understands, and none is started`, hint)
}
