// Cuts text into lines that fit, where a reader would: at a space if there is one, never inside a character, and inside a word, such
// as a URL, only if no line has room for it.

/** Length in UTF-8 bytes. */
export function byteLength(text: string): number {
  let bytes = text.length
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    if (unit < 0x80) continue
    if (unit < 0x800) bytes += 1
    else if (unit >= 0xd800 && unit < 0xdc00 && isLowSurrogate(text.charCodeAt(i + 1))) {
      bytes += 2
      i++
    } else bytes += 2
  }
  return bytes
}

/**
 * Cuts one line of text into pieces of at most `bytes` bytes. Joined, they are the text again: a space that was cut at stays at the
 * end of its piece. A grapheme wider than a whole piece is cut between its code points.
 */
export function splitText(text: string, bytes: number): string[] {
  if (bytes < 4) throw new Error(`no character may fit in ${bytes} bytes`)
  if (byteLength(text) <= bytes) return [text]
  const pieces: string[] = []
  let piece = ''
  let size = 0
  let at = 0 // where in `text` the piece begins
  let afterSpace = 0 // where in `piece` a cut after a space would fall
  let last = '' // the end of `piece`
  for (const part of parts(text, bytes)) {
    const width = byteLength(part)
    // Twice if what follows the space, and is carried over, leaves too little room as well.
    while (size + width > bytes) {
      const isWorth =
        afterSpace > piece.length / 2 || (afterSpace > 0 && hasRoom(text, at + afterSpace, bytes))
      const cut = isWorth ? afterSpace : endBefore(part, piece, last)
      pieces.push(piece.slice(0, cut))
      piece = piece.slice(cut)
      at += cut
      size = byteLength(piece)
      afterSpace = 0
    }
    piece += part
    size += width
    last = part
    if (part === ' ') afterSpace = piece.length
  }
  pieces.push(piece)
  return pieces
}

/** Where to cut a word before `part`: not at an `@`, which does nothing inside a word but wakes whom it names where a line begins. */
function endBefore(part: string, piece: string, last: string): number {
  if (!/^[@\uFF20\uFE6B]/.test(part)) return piece.length
  const carried = last.length < piece.length ? last : (Array.from(piece).at(-1) ?? '')
  return piece.length - carried.length || piece.length
}

/** Whether the word that begins at `from` fits whole on its own line. */
function hasRoom(text: string, from: number, bytes: number): boolean {
  const [word = ''] = text.slice(from, from + bytes + 1).split(' ', 1)
  return byteLength(word) <= bytes
}

/** Words joined with `separator` in lines of at most `bytes`; no word is cut. */
export function joinInLines(words: readonly string[], separator: string, bytes: number): string[] {
  const sizeOf = (word: string) => byteLength(word) + byteLength(separator)
  return groupInLines(words, sizeOf, { bytes: bytes + byteLength(separator) }).map((line) =>
    line.join(separator),
  )
}

/** Items in lines of at most `bytes` and `count`; one that is larger than a line is alone in its own. */
export function groupInLines<Item>(
  items: readonly Item[],
  sizeOf: (item: Item) => number,
  { bytes, count = Infinity }: { bytes: number; count?: number },
): Item[][] {
  const lines: Item[][] = []
  let left = 0
  for (const item of items) {
    const size = sizeOf(item)
    const line = lines.at(-1)
    if (line === undefined || size > left || line.length === count) {
      lines.push([item])
      left = bytes - size
    } else {
      line.push(item)
      left -= size
    }
  }
  return lines
}

/** The longest prefix that fits in `bytes` and does not end inside a grapheme. */
export function cutText(text: string, bytes: number): string {
  // No UTF-16 unit takes more than three bytes, so short text need not be counted.
  if (text.length * 3 <= bytes || byteLength(text) <= bytes) return text
  let kept = ''
  let size = 0
  for (const part of parts(text, bytes)) {
    size += byteLength(part)
    if (size > bytes) break
    kept += part
  }
  return kept
}

/** Created when the first text is cut: it loads 2.6 MB of tables. */
let graphemes: Intl.Segmenter | undefined
// A grapheme may hold any number of marks; past this many no person wrote it.
const LONGEST_SEGMENT = 4096

function* parts(text: string, bytes: number): Iterable<string> {
  graphemes ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' })
  for (let from = 0; from < text.length; from += LONGEST_SEGMENT) {
    let to = Math.min(from + LONGEST_SEGMENT, text.length)
    if (isLowSurrogate(text.charCodeAt(to))) to++
    for (const { segment } of graphemes.segment(text.slice(from, to))) {
      if (byteLength(segment) <= bytes) yield segment
      else yield* segment
    }
    from = to - LONGEST_SEGMENT
  }
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit < 0xe000
}
