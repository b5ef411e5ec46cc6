// Splits bytes into lines of bounded length, for both sides of the control socket.

export interface LineEvents {
  line(text: string): void
  /** Called once; everything after that is ignored. */
  tooLong(): void
}

/** Takes chunks as they come and reports each line without its LF. Empty lines are skipped. */
export function createLineReader(bytes: number, events: LineEvents): (chunk: Buffer) => void {
  let kept: Buffer[] = []
  let size = 0
  let over = false
  return (chunk) => {
    let start = 0
    while (!over) {
      const end = chunk.indexOf(0x0a, start)
      const part = chunk.subarray(start, end === -1 ? undefined : end)
      size += part.length
      if (size > bytes) {
        over = true
        kept = []
        return events.tooLong()
      }
      kept.push(part)
      if (end === -1) return
      const text = Buffer.concat(kept).toString('utf8')
      kept = []
      size = 0
      start = end + 1
      if (text !== '') events.line(text)
    }
  }
}
