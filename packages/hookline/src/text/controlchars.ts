// Control characters in untrusted text: a terminal would act on them, and those of IRC's formatting would split words.

/** Removes C0 except LF and tab, DEL, C1, and bidi controls; IRC's colours with their numbers. */
export function stripControls(text: string): string {
  return text.replaceAll(COLOUR, '').replaceAll(/[^\P{Cc}\n\t]|\p{Bidi_Control}/gu, '')
}

/** https://modern.ircdocs.horse/formatting#colors: a background may follow the comma. */
// oxlint-disable-next-line no-control-regex -- the two that begin a colour
const COLOUR = /\x03\d{1,2}(?:,\d{1,2})?|\x04[\da-f]{6}(?:,[\da-f]{6})?/gi
