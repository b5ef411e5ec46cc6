// Lines as WebSocket messages. Server frames are not masked (RFC 6455 5.1), so one encoding serves all recipients.

/** The lines in `bytes`, each a message of its own without its CRLF (IRCv3 websocket). */
export function framesOf(bytes: Uint8Array, kind: 'text' | 'binary'): Uint8Array {
  const kept = written[kind].get(bytes)
  if (kept !== undefined) return kept
  const frames = write(bytes, kind === 'text' ? FINAL_TEXT : FINAL_BINARY)
  written[kind].set(bytes, frames)
  return frames
}

/** Bytes sent to many are one object for all, and their frames are freed with it. */
const written = { text: new WeakMap<Uint8Array, Uint8Array>(), binary: new WeakMap<Uint8Array, Uint8Array>() }

/** RFC 6455 5.2: the last (and only) fragment of a message. */
const FINAL_TEXT = 0x81
const FINAL_BINARY = 0x82
/** Longest payload whose length fits in the second byte; above it two more follow, enough for any line. */
const SHORT = 125
const LONG = 126
const LF = 10
const CRLF = 2

function write(bytes: Uint8Array, head: number): Uint8Array {
  const frames = Buffer.alloc(sizeOf(bytes))
  let at = 0
  for (let from = 0, end = bytes.indexOf(LF); end !== -1; from = end + 1, end = bytes.indexOf(LF, from)) {
    const length = end + 1 - CRLF - from
    frames[at++] = head
    if (length > SHORT) {
      frames[at++] = LONG
      frames[at++] = length >> 8
    }
    frames[at++] = length & 0xff
    frames.set(bytes.subarray(from, from + length), at)
    at += length
  }
  return frames
}

function sizeOf(bytes: Uint8Array): number {
  let size = 0
  for (let from = 0, end = bytes.indexOf(LF); end !== -1; from = end + 1, end = bytes.indexOf(LF, from)) {
    const length = end + 1 - CRLF - from
    size += length + (length > SHORT ? 4 : 2)
  }
  return size
}
