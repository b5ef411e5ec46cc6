// What a terminal would act on, in words that are somebody else's.

/** Takes it out: C0 but LF and tab, DEL, C1, and the marks that turn text around. */
export function stripControls(text: string): string {
  return text.replaceAll(/[^\P{Cc}\n\t]|\p{Bidi_Control}/gu, '')
}
