// Hints name the command as it was called: whoever runs it by npx has no `hookline` to type.

let written = (text: string): string => text

/** From now on: `npx hookline` before each of these words. Other text may follow the name as well: `if hookline was updated`. */
export function nameByNpx(words: readonly string[]): void {
  const command = new RegExp(`(?<!npx )\\bhookline (?=(?:${words.join('|')})\\b)`, 'g')
  written = (text) => text.replaceAll(command, 'npx hookline ')
}

export function asCalled(text: string): string {
  return written(text)
}
