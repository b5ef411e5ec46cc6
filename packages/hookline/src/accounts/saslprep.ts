// SASLprep: one form for passwords that look alike, whichever keyboard they were typed on.
// https://www.rfc-editor.org/rfc/rfc4013 without the checks for bidi and unassigned code points, which gain nothing
// here.

/** Undefined for prohibited characters: control characters, private use, surrogates. */
export function saslPrep(text: string): string | undefined {
  // oxlint-disable-next-line no-control-regex -- the rule is about control characters
  if (/^[\x20-\x7e]*$/.test(text)) return text
  const mapped = text
    .replace(TO_NOTHING, '')
    .replace(/\p{Zs}/gu, ' ')
    .normalize('NFKC')
  return PROHIBITED.test(mapped) ? undefined : mapped
}

// RFC 3454 B.1: commonly mapped to nothing.
const TO_NOTHING =
  /\u{ad}|\u{34f}|\u{1806}|[\u{180b}-\u{180d}]|[\u{200b}-\u{200d}]|\u{2060}|[\u{fe00}-\u{fe0f}]|\u{feff}/gu
// RFC 3454 C.2 to C.9, by general category.
const PROHIBITED =
  /[\p{Cc}\p{Cs}\p{Co}\p{Noncharacter_Code_Point}\u{fff9}-\u{fffd}\u{2ff0}-\u{2ffb}\u{200e}\u{200f}\u{202a}-\u{202e}\u{206a}-\u{206f}\u{e0001}\u{e0020}-\u{e007f}]/u
