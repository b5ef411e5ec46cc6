// Free text from an operator that others see: the reason of a ban, a suspension or a retraction.

/** Fit for the end of an IRC line, and for a table. */
export function oneLine(text: string): string {
  return text.trim().replaceAll(/\p{Cc}+/gu, ' ')
}
