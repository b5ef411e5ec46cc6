// Splits a command line into words like a shell. No shell is started, so shell-only syntax is refused.
import { done, wrong, type Answer } from '../failure.ts'

/** One part of a line: in single quotes, in double quotes, escaped, plain, or the space between words. */
const PART =
  /'(?<single>[^']*)'|"(?<double>(?:[^"\\$`]|\\[^])*)"|\\(?<escaped>[^])|(?<plain>[^ \t\n'"\\|&;<>$`]+)|(?<space>[ \t\n]+)/y

/** `npm init "my tool"` → three words. */
export function splitWords(line: string): Answer<readonly string[]> {
  const words: string[] = []
  let word: string | undefined
  for (PART.lastIndex = 0; PART.lastIndex < line.length;) {
    const at = PART.lastIndex
    const { single, double, escaped, plain, space } = PART.exec(line)?.groups ?? {}
    const part = single ?? double?.replaceAll(IN_QUOTES, '$1') ?? escaped ?? plain
    if (part === undefined && space === undefined) return refuse(line.slice(at))
    if (space !== undefined && word !== undefined) words.push(word)
    if (space !== undefined) word = undefined
    // POSIX 2.2.1: a backslash at the end of a line continues it.
    else if (escaped !== '\n') word = (word ?? '') + part
  }
  return done(word === undefined ? words : [...words, word])
}

/** POSIX 2.2.3: within double quotes a backslash escapes only these, and drops a newline. */
const IN_QUOTES = /\\(?:\n|([$`"\\]))/g

/** What no part begins with: a quote that stays open, or what only a shell understands. */
function refuse(rest: string) {
  const sign = /^"(?:[^"\\$`]|\\[^])*([$`])/.exec(rest)?.[1] ?? rest.charAt(0)
  if (/['"\\]/.test(sign)) return wrong('usage', `--with ends inside ${sign}`, 'close it')
  const hint = `write '${sign}' in single quotes to mean the character, or put the commands into a script and name that`
  return wrong('usage', `--with has ${sign}, which only a shell understands, and none is started`, hint)
}
