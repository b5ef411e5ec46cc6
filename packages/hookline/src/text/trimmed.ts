// Ends of texts, in time that grows with what is cut: `/=+$/` begins anew at each of many characters, although none of them is the last.

/** `text` without all of `character` that it ends with. */
export function withoutLast(character: string, text: string): string {
  let end = text.length
  while (end > 0 && text[end - 1] === character) end--
  return text.slice(0, end)
}
