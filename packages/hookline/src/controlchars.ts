// Control characters in untrusted text, which a terminal would act on.

/** Removes C0 except LF and tab, DEL, C1, and bidi controls. */
export function stripControls(text: string): string {
  return text.replaceAll(/[^\P{Cc}\n\t]|\p{Bidi_Control}/gu, '')
}
