// B9: texts cut into lines. A character that is cut in two, or a piece that is lost, is a message that nobody wrote.
import { byteLength, splitText } from '../src/irc/split.ts'
import { Chance } from '../test/fuzz/chance.ts'
import { figure } from './figure.ts'

export default figure({
  id: 'B9',
  promise:
    'A long text is cut into lines that fit, lose nothing, and end where a reader sees the end of a character',
  goal: 'every line fits, is valid UTF-8, cuts no character that fits (except before an @, which may begin no line); joined it is the text',
  small: { texts: 20_000 },
  whole: { texts: 200_000 },
  measure({ texts }, { seed }) {
    const chance = new Chance(seed)
    const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })
    let pieces = 0
    const wrong: string[] = []
    for (let index = 0; index < texts; index++) {
      const text = Array.from({ length: chance.below(80) }, () => chance.pick(PARTS)).join('')
      // The longest prefix leaves some 300 bytes; fewer cut more.
      const bytes = chance.isHit(50) ? 4 + chance.below(40) : 200 + chance.below(300)
      const lines = splitText(text, bytes)
      pieces += lines.length
      const problem = problemOf(text, lines, bytes, graphemes)
      if (problem !== undefined) wrong.push(`${problem}: ${JSON.stringify(text)} in ${bytes} bytes`)
    }
    const example = wrong[0] === undefined ? '' : `, such as ${wrong[0]}`
    return {
      figure: `${texts} texts in ${pieces} lines: ${wrong.length} wrong${example}`,
      isMet: wrong.length === 0 && pieces > texts,
    }
  },
})

function problemOf(
  text: string,
  lines: readonly string[],
  bytes: number,
  graphemes: Intl.Segmenter,
): string | undefined {
  if (lines.join('') !== text) return 'something is lost'
  if (lines.some((line) => Buffer.byteLength(line) > bytes || byteLength(line) !== Buffer.byteLength(line)))
    return 'a line does not fit'
  if (lines.some((line) => !line.isWellFormed())) return 'half a character'
  if (lines.length < 2) return undefined
  const cuts = new Set<number>()
  let at = 0
  for (const line of lines.slice(0, -1)) cuts.add((at += line.length))
  for (const { index, segment } of graphemes.segment(text)) {
    if (Buffer.byteLength(segment) > bytes) continue
    // No line may begin with an @, which would wake somebody: what fills the line before it is cut rather.
    if (/^[@＠﹫]/.test(text.slice(index + segment.length))) continue
    for (let inside = index + 1; inside < index + segment.length; inside++)
      if (cuts.has(inside)) return 'a cut inside a character'
  }
  return undefined
}

const PARTS = [
  ...'abc xyz .,-'.split(''),
  'word ',
  'https://example.net/a/b?c=d',
  ' ',
  '  ',
  '@ann',
  '＠bob',
  'é',
  'e\u0301',
  'ß',
  '日本語',
  'नि',
  'กำ',
  '각',
  '각',
  '👩‍👩‍👧',
  '👍🏽',
  '🇩🇪',
  '🇩',
  '\u200d',
  '\ufe0f',
  '\u0301'.repeat(30),
  '\u202e',
  '\x02',
  '\x0304,05',
  '😀',
]
