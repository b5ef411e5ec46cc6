// Finds the regular expressions of a source text, without a parser: what begins where an expression may begin is one.

export interface Found {
  readonly file: string
  readonly line: number
  readonly source: string
  readonly flags: string
}

/** Literals only. Two things of TypeScript are told apart by what stands before: a division, and an expression. */
export function regexesIn(text: string, file: string): readonly Found[] {
  const found: Found[] = []
  let before = ''
  for (let at = 0; at < text.length;) {
    const token = tokenAt(text, at, before)
    const regex = /^\/(?![/*])(.+)\/([a-z]*)$/s.exec(token)
    if (regex && token.length > 1 && MAY_BEGIN.test(before)) {
      const [, source = '', flags = ''] = regex
      found.push({ file, line: text.slice(0, at).split('\n').length, source, flags })
    }
    if (!/^(?:\s|\/[/*])/.test(token)) before = token
    at += token.length
  }
  return found
}

/** What an expression may follow. */
const MAY_BEGIN = /^(?:|[(,=:[!&|?{};+>~^%*-]|=>|return|typeof|case|of|in|yield|await|\$\{)$/

function tokenAt(text: string, at: number, before: string): string {
  const patterns = MAY_BEGIN.test(before) ? [REGEX, ...OTHERS] : OTHERS
  for (const pattern of patterns) {
    pattern.lastIndex = at
    const [token] = pattern.exec(text) ?? []
    if (token) return token
  }
  return text[at] ?? ''
}

const REGEX = /\/(?![/*])(?:[^\\/[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/y
const OTHERS = [
  /\s+/y,
  /\/\/[^\n]*/y,
  /\/\*[\s\S]*?\*\//y,
  /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/y,
  // What stands in ${ } is left out: no regex of ours does. Another template in it is part of this one.
  /`(?:[^`\\$]|\\[\s\S]|\$(?!\{)|\$\{(?:[^`}]|`(?:[^`\\]|\\[\s\S])*`)*\})*`/y,
  /[\w$]+/y,
]
