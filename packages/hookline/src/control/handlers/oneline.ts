// Words of an operator's that others are shown: a reason for a ban, a suspension, a retraction.

/** As it can stand at the end of an IRC line, and in a table. */
export function oneLine(text: string): string {
  return text.trim().replaceAll(/\p{Cc}+/gu, ' ')
}
