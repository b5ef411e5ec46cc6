// Reads a request's body, up to a limit.
import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'

export type Body =
  | { readonly kind: 'whole'; readonly bytes: Uint8Array }
  /** The rest was not read. */
  | { readonly kind: 'too large' }
  /** The sender hung up before the end. */
  | { readonly kind: 'cut off' }

/**
 * `came` is told the size of each chunk. The bytes own their whole buffer, so that passing them to another thread
 * copies nothing else.
 */
export function readBody(
  request: Readable,
  limit: number,
  came: (bytes: number) => void = () => {},
): Promise<Body> {
  return new Promise((resolve) => {
    let bytes: Buffer | undefined
    let size = 0
    request.on('data', (chunk: Buffer) => {
      const end = size + chunk.length
      if (end > limit) {
        request.removeAllListeners('data')
        resolve({ kind: 'too large' })
        return
      }
      if (bytes === undefined) bytes = chunk
      else {
        if (end > bytes.length) bytes = copied(bytes, Math.min(Math.max(end, 2 * size), limit))
        bytes.set(chunk, size)
      }
      size = end
      came(chunk.length)
    })
    request.on('end', () => resolve({ kind: 'whole', bytes: exactly(bytes, size) }))
    request.on('close', () => resolve({ kind: 'cut off' }))
    request.on('error', () => resolve({ kind: 'cut off' }))
  })
}

/** The length that the sender declares; undefined for a chunked body. */
export function declaredLength(request: IncomingMessage): number | undefined {
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers
  if (length !== undefined) return Number(length)
  return encoding === undefined ? 0 : undefined
}

/**
 * Whether a transfer coding besides chunked applies: Node only decodes chunked, so the coded bytes would pass for the
 * body. RFC 9112, 6.1
 */
export function isCoded({ headers }: IncomingMessage): boolean {
  const codings = headers['transfer-encoding']?.split(',').map((each) => each.trim().toLowerCase())
  return codings?.some((each) => each !== '' && each !== 'chunked') ?? false
}

// Into one buffer as they come: senders choose the chunk size, and a chunk of one byte would take up two hundred.
function copied(bytes: Buffer, room: number): Buffer {
  const copy = Buffer.allocUnsafeSlow(room)
  copy.set(bytes.subarray(0, room))
  return copy
}

function exactly(bytes: Buffer | undefined, size: number): Uint8Array {
  if (bytes === undefined) return new Uint8Array()
  return bytes.buffer.byteLength === size ? bytes : copied(bytes, size)
}
