// Texts on which a regular expression may take long, made from the expression itself.

type Attack = (length: number) => string

/** What it repeats, many times, after what it begins with, and with an end that it does not expect. */
export function attacksOn(source: string): readonly Attack[] {
  const words = wordsIn(source)
  const repeated = [...new Set([...words, ...pairsOf(words)])].slice(0, 120)
  const starts = ['', ...words.slice(0, 12)]
  const ends = ['', '\0', '\n!']
  return repeated.flatMap((each, index) =>
    // Few of the pairs are tried in all ways.
    (index < 24 ? starts : ['']).flatMap((start) =>
      ends.map(
        (end): Attack =>
          (length) =>
            start + each.repeat(Math.ceil(length / each.length)) + end,
      ),
    ),
  )
}

/** The literal texts in it, and one or two characters of each class. */
function wordsIn(source: string): readonly string[] {
  const words = new Set<string>()
  const plain = source.replaceAll(/\[\^?(?:[^\]\\]|\\.)*\]/g, (set) => {
    for (const [each] of set.slice(1, -1).matchAll(/\\[pP]\{[^}]*\}|\\x..|\\u\{?[\da-f]+\}?|\\.|[^\\]/gi))
      for (const character of charactersOf(each)) words.add(character)
    // Something that is not in it.
    words.add('a')
    return ' '
  })
  for (const [each] of plain.matchAll(/\\[pP]\{[^}]*\}|\\x..|\\u\{?[\da-f]+\}?|\\./gi))
    for (const character of charactersOf(each)) words.add(character)
  for (const [each] of plain
    .replaceAll(/\(\?(?:<?[=!]|:|<\w+>)|\{\d*,?\d*\}|\\./g, ' ')
    .matchAll(/[^\s()|?*+.^$\\]+/g)) {
    words.add(each)
    words.add(each[0] ?? '')
  }
  for (const each of ['a', ' ', '0', '\n', '.', 'é']) words.add(each)
  words.delete('')
  return [...words]
}

function charactersOf(token: string): readonly string[] {
  const known: Readonly<Record<string, readonly string[]>> = {
    '\\s': [' ', '\t', '\n'],
    '\\S': ['a', '!'],
    '\\w': ['a', '0', '_'],
    '\\W': [' ', '-'],
    '\\d': ['0'],
    '\\D': ['a'],
    '\\n': ['\n'],
    '\\r': ['\r'],
    '\\t': ['\t'],
    '\\0': ['\0'],
    '\\b': ['a', ' '],
  }
  if (/^\\[pP]/.test(token)) return ['a', ' ', '\x01', '\u200b', '\u202e', 'é', '😀']
  const code = /^\\(?:x|u\{?)([\da-f]+)/i.exec(token)?.[1]
  if (code !== undefined) return [String.fromCodePoint(Number.parseInt(code, 16))]
  return known[token] ?? [token.at(-1) ?? '']
}

function* pairsOf(words: readonly string[]): Iterable<string> {
  for (const one of words.slice(0, 14)) for (const other of words.slice(0, 14)) yield one + other
}
