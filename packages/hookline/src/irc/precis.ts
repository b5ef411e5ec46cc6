// Nicks in every script: which are allowed, and which two are the same. RFC 8265, UsernameCaseMapped.
// Where that needs tables that JavaScript lacks, this is stricter: what is refused can be allowed later.
import { byteLength } from './split.ts'

/** Width, then case, then NFC (RFC 8265 3.3.2). Only letters and digits get another width: no name may become a mask by it. */
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
  // RFC 8264 9.17: characters that only stand for others are not in identifiers.
  if (folded !== folded.normalize('NFKC') || REFUSED.test(folded)) return false
  return !(ARABIC_DIGITS.test(text) && PERSIAN_DIGITS.test(text)) && runsOneWay(text)
}

/** Fullwidth digits and letters, halfwidth kana and hangul. */
const WIDE = /[\uff10-\uff19\uff21-\uff3a\uff41-\uff5a\uff66-\uffdc]/g

/** RFC 8264 9.1, LetterDigits, and of ASCII what RFC 2812 allows; marks, digits and `-` do not come first. */
const NICK =
  /^[a-zA-Z[\]\\`_^{|}\p{Ll}\p{Lu}\p{Lo}\p{Lm}][\w[\]\\`^{|}\-\p{Ll}\p{Lu}\p{Lo}\p{Lm}\p{Nd}\p{Mn}\p{Mc}]*$/u

/** RFC 8264 9.6 (what is disallowed by name), 9.9 (old jamo) and 9.13 (what is not shown). */
const REFUSED =
  /[\u0640\u07fa]|[\u302e-\u302f]|[\u3031-\u3035\u303b\u1100-\u11ff\ua960-\ua97c\ud7b0-\ud7fb]|\p{Default_Ignorable_Code_Point}/u

/** RFC 5892 A.8 and A.9: not both. */
const ARABIC_DIGITS = /[\u0660-\u0669]/
const PERSIAN_DIGITS = /[\u06f0-\u06f9]/

const RIGHT_TO_LEFT =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Samaritan}\p{Script=Mandaic}\p{Script=Adlam}]/u
const FROM_RIGHT =
  /^[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Samaritan}\p{Script=Mandaic}\p{Script=Adlam}\p{Mn}\p{Nd}_-]*(?<![_-])$/u

/** RFC 5893 2, without its finer points: a name with a letter that runs from the right has no others, and ends in none of `_-`. */
function runsOneWay(text: string): boolean {
  return !RIGHT_TO_LEFT.test(text) || (FROM_RIGHT.test(text) && /^\p{L}/u.test(text))
}
