// Makes text safe to post: what a stranger sent can neither break a line nor wake anybody.
import { FORMATTING_CODES } from './colour.ts'

/** Text from a payload: no control characters, tabs or reordered letters, and its `@nick` wakes nobody. Line breaks stay. */
export function cleanPayloadText(text: string): string {
  return withoutWaking(text.toWellFormed().replaceAll(CONTROLS, '').replaceAll('\t', ' '))
}

/** Text that the bot's author wrote: kept with its formatting codes, except for what cannot be sent. */
export function cleanAuthorText(text: string): string {
  return text.toWellFormed().replaceAll('\0', '').replaceAll('\r', '')
}

/**
 * What a handler answered. Nobody can tell which part of it came from the payload, so an `@nick` wakes nobody (only the
 * configured mention does), and formatting codes count as the author's unless the payload contains any.
 */
export function cleanHandlerText(text: string, payloadText: string): string {
  if (ESCAPED_FORMATTING.test(payloadText)) return cleanPayloadText(text)
  const kept = text
    .toWellFormed()
    .replaceAll(CONTROLS, (code) => (FORMATTING_CODES.includes(code) ? code : ''))
  return withoutWaking(kept.replaceAll('\t', ' '))
}

/** Without blank lines, which IRC cannot send. */
export function withoutBlankLines(text: string): string {
  if (!text.includes('\n')) return text.trim() === '' ? '' : text
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .join('\n')
}

// C0 except TAB and LF, DEL, C1, and the bidi controls, which can make a text look like another one.
const CONTROLS = /[[\p{Cc}\p{Bidi_Control}]--[\t\n]]/gv

// How a formatting code looks in the compact JSON of a payload.
const ESCAPED_FORMATTING = /\\u00(?:0[23f]|1[16def])/

// Not in a@b, an address, nor in /@scope, a part of a URL. At the very end too: what follows later must not complete a nick.
// The fullwidth and the small @ become the usual one where a reader normalises (Unicode NFKC).
const WAKING_AT = /[@\uFF20\uFE6B](?<![\p{L}\p{N}_/][@\uFF20\uFE6B])(?![\s\u200b])/gu

function withoutWaking(text: string): string {
  const mayWake = text.includes('@') || text.includes('\uFF20') || text.includes('\uFE6B')
  return mayWake ? text.replaceAll(WAKING_AT, '$&\u200b') : text
}
