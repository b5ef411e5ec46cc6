// Formatting in Liquid templates: while a template is rendered, characters that no payload can hold stand for the codes.
import { APART, COLOURS, FORMATTING_CODES } from '../colour.ts'

// U+FDD0…U+FDEF are Unicode noncharacters, for use inside a program: they have no meaning in text that is exchanged.
const STANDS = /[\uFDD0-\uFDEF]/g
const FIRST = 0xfdd0
const firstColour = FIRST + FORMATTING_CODES.length
const colourEnd = String.fromCharCode(firstColour + 16)

/** Stands for a code that the author wrote. */
export const CODE = {
  bold: standInFor('\x02'),
  colour: standInFor('\x03'),
  mono: standInFor('\x11'),
  italic: standInFor('\x1d'),
} as const

/** Text of a payload, without characters that could be taken for stand-ins. */
export function withoutStandIns(text: string): string {
  return text.search(STANDS) === -1 ? text : text.replaceAll(STANDS, '')
}

/** The author's text: its codes, also in quotes, are kept, unlike those of a payload. */
export function hideCodes(text: string): string {
  return FORMATTING_CODES.reduce(
    (hidden, code) => hidden.replaceAll(code, standInFor(code)),
    withoutStandIns(text),
  )
}

/** Every line of `text` between two codes: formatting does not carry over to a new line. */
export function between(open: string, text: string, close: string): string {
  return text
    .split('\n')
    .map((line) => (line === '' ? line : open + line + close))
    .join('\n')
}

/** Undefined when there is no such colour. */
export function coloured(text: string, name: string): string | undefined {
  const number = colourNumber(name)
  if (number === undefined) return undefined
  return between(String.fromCharCode(firstColour + number), text, colourEnd)
}

export function colourNumber(name: string): number | undefined {
  const known = name.toLowerCase().replaceAll(/[ -]/g, '_').replace('gray', 'grey')
  return Object.hasOwn(COLOURS, known) ? COLOURS[known] : undefined
}

/** The text as it is sent. What follows a colour never counts as part of its number. */
export function showCodes(text: string): string {
  return text.replaceAll(STANDS, (stand, at: number) => {
    const index = stand.charCodeAt(0) - FIRST
    const code = FORMATTING_CODES[index]
    if (code !== undefined) return code
    const after = text.slice(at + 1, at + 3)
    if (stand === colourEnd) return /^\d/.test(after) ? `\x03${APART}` : '\x03'
    const number = String(stand.charCodeAt(0) - firstColour).padStart(2, '0')
    return /^,\d/.test(after) ? `\x03${number}${APART}` : `\x03${number}`
  })
}

function standInFor(code: string): string {
  return String.fromCharCode(FIRST + FORMATTING_CODES.indexOf(code))
}
