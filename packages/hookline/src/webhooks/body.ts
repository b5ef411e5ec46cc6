// Reads a request's body, up to a limit.
import type { IncomingMessage } from 'node:http'

export type Body =
  | { readonly kind: 'whole'; readonly bytes: Uint8Array }
  /** The rest was not read. */
  | { readonly kind: 'too large' }
  /** The sender went away in the middle. */
  | { readonly kind: 'cut off' }

/** The bytes own their buffer, so that handing them to another thread copies them alone. */
export function readBody(request: IncomingMessage, limit: number): Promise<Body> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let size = 0
    request.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size <= limit) {
        chunks.push(chunk)
        return
      }
      request.removeAllListeners('data')
      resolve({ kind: 'too large' })
    })
    request.on('end', () => resolve({ kind: 'whole', bytes: join(chunks, size) }))
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
  const codings = (headers['transfer-encoding'] ?? '').split(',').map((each) => each.trim().toLowerCase())
  return codings.some((each) => each !== '' && each !== 'chunked')
}

function join(chunks: readonly Buffer[], size: number): Uint8Array {
  const [first] = chunks
  if (first?.length === size && first.buffer.byteLength === size) return first
  const bytes = Buffer.allocUnsafeSlow(size)
  let at = 0
  for (const chunk of chunks) {
    bytes.set(chunk, at)
    at += chunk.length
  }
  return bytes
}
