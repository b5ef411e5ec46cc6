// IRC's formatting codes and colours, and how a value next to a colour is kept from changing it.

/** Bold, colour, reset, monospace, reverse, italics, strike, underline. */
export const FORMATTING_CODES: readonly string[] = [
  '\x02',
  '\x03',
  '\x0f',
  '\x11',
  '\x16',
  '\x1d',
  '\x1e',
  '\x1f',
]

/** The sixteen colours that every client knows, by the names of https://modern.ircdocs.horse/formatting#colors. */
export const COLOURS: Readonly<Record<string, number>> = {
  white: 0,
  black: 1,
  blue: 2,
  green: 3,
  red: 4,
  brown: 5,
  magenta: 6,
  orange: 7,
  yellow: 8,
  light_green: 9,
  cyan: 10,
  light_cyan: 11,
  light_blue: 12,
  pink: 13,
  grey: 14,
  light_grey: 15,
}

/** Bold on and off: it shows nothing, and it ends the number of a colour. */
export const APART = '\x02\x02'

/**
 * A colour is one or two digits, perhaps followed by a comma and the background; its code alone ends it. When `before` ends in one
 * of these, matches text that would continue it. `code` is what begins a colour.
 */
export function goesOn(before: string, code: string): RegExp | undefined {
  const at = before.lastIndexOf(code)
  if (at === -1 || before.length - at > 5) return undefined
  const number = before.slice(at + code.length)
  if (/^\d{1,2},\d$/.test(number)) return /^\d/
  if (/^\d?$/.test(number)) return /^,?\d/
  return /^\d\d$/.test(number) ? /^,\d/ : undefined
}
