// Nicks in any script: which are valid, and which two are the same. RFC 8265, UsernameCaseMapped.
// Stricter where that needs tables that JavaScript lacks: what is refused now can be allowed later.
import { byteLength } from './split.ts'

/** Width, then case, then NFC (RFC 8265 3.3.2). Only letters and digits are width-mapped, so that no name becomes a mask. */
export function foldPrecis(text: string): string {
  return text
    .replace(WIDE, (letter) => letter.normalize('NFKC'))
    .toLowerCase()
    .normalize('NFC')
}

/** `length` is NICKLEN, in bytes. */
export function isPrecisNick(text: string, length: number): boolean {
  if (byteLength(text) > length || !NICK.test(text)) return false
  const folded = foldPrecis(text)
  // RFC 8264 9.17: no characters with compatibility equivalents in identifiers.
  if (folded !== folded.normalize('NFKC') || REFUSED.test(folded)) return false
  return !(ARABIC_DIGITS.test(text) && PERSIAN_DIGITS.test(text)) && runsOneWay(text)
}

/** Fullwidth digits and letters, halfwidth kana and hangul. */
const WIDE = /[\uff10-\uff19\uff21-\uff3a\uff41-\uff5a\uff66-\uffdc]/g

/** RFC 8264 9.1, LetterDigits, and the ASCII that RFC 2812 allows; no mark, digit or `-` first. */
const NICK =
  /^[a-zA-Z[\]\\`_^{|}\p{Ll}\p{Lu}\p{Lo}\p{Lm}][\w[\]\\`^{|}\-\p{Ll}\p{Lu}\p{Lo}\p{Lm}\p{Nd}\p{Mn}\p{Mc}]*$/u

/** RFC 8264 9.6 (exceptions), 9.9 (old Hangul jamo) and 9.13 (ignorable code points). */
const REFUSED =
  /[\u0640\u07fa]|[\u302e-\u302f]|[\u3031-\u3035\u303b\u1100-\u11ff\ua960-\ua97c\ud7b0-\ud7fb]|\p{Default_Ignorable_Code_Point}/u

/** RFC 5892 A.8 and A.9: never both. */
const ARABIC_DIGITS = /[\u0660-\u0669]/
const PERSIAN_DIGITS = /[\u06f0-\u06f9]/

const RIGHT_TO_LEFT =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Samaritan}\p{Script=Mandaic}\p{Script=Adlam}]/u
const FROM_RIGHT =
  /^[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Samaritan}\p{Script=Mandaic}\p{Script=Adlam}\p{Mn}\p{Nd}_-]*(?<![_-])$/u

/** RFC 5893 2, simplified: a name with a right-to-left letter has no other letters, begins with one, and ends in neither `_` nor `-`. */
function runsOneWay(text: string): boolean {
  return !RIGHT_TO_LEFT.test(text) || (FROM_RIGHT.test(text) && /^\p{L}/u.test(text))
}
