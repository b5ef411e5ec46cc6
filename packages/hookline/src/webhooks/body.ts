// Reads a request's body, up to a limit.
import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'

export type Body =
  | { readonly kind: 'whole'; readonly bytes: Uint8Array }
  /** The rest was not read. */
  | { readonly kind: 'too large' }
  /** The sender went away in the middle. */
  | { readonly kind: 'cut off' }

/** `came` hears how many bytes more there are. The bytes own their buffer, so that handing them to another thread copies them alone. */
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

/** What the sender says about the length; undefined when it comes in chunks. */
export function declaredLength(request: IncomingMessage): number | undefined {
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers
  if (length !== undefined) return Number(length)
  return encoding === undefined ? 0 : undefined
}

/** Whether it is in another coding beside chunks, which Node has taken apart: the coded bytes would be taken for the body. RFC 9112, 6.1 */
export function isCoded({ headers }: IncomingMessage): boolean {
  const codings = headers['transfer-encoding']?.split(',').map((each) => each.trim().toLowerCase())
  return codings?.some((each) => each !== '' && each !== 'chunked') ?? false
}

// Into one buffer as they come: senders choose how small their chunks are, and one of a byte would be kept as two hundred.
function copied(bytes: Buffer, room: number): Buffer {
  const copy = Buffer.allocUnsafeSlow(room)
  copy.set(bytes.subarray(0, room))
  return copy
}

function exactly(bytes: Buffer | undefined, size: number): Uint8Array {
  if (bytes === undefined) return new Uint8Array()
  return bytes.buffer.byteLength === size ? bytes : copied(bytes, size)
}
