// The shortest way to a socket.
import { writeSync } from 'node:fs'
import type { Socket } from 'node:net'
import { TLSSocket } from 'node:tls'

/**
 * Writes past a socket's stream where nothing waits in that: decisions/shared-writes.md says why. Where the system takes only a part, or
 * nothing, the stream gets the rest, and meets what is wrong. A socket that is no longer writable takes nothing, for its descriptor may
 * be another's by now.
 */
export function writeDirect(socket: Socket, descriptor: number, bytes: Uint8Array): void {
  if (!socket.writable) return
  const taken = socket.writableLength === 0 ? offer(descriptor, bytes) : 0
  if (taken < bytes.length) socket.write(taken === 0 ? bytes : bytes.subarray(taken))
}

/** How many bytes the system took. */
function offer(descriptor: number, bytes: Uint8Array): number {
  if (descriptor < 0) return 0
  try {
    return writeSync(descriptor, bytes)
  } catch {
    return 0
  }
}

/**
 * For as long as the socket is writable; below 0 there is none to write to. Node has no public name for it, and perhaps none at all one
 * day. That of TLS is where the cipher's bytes go.
 */
export function descriptorOf(
  socket: Socket & { readonly _handle?: { readonly fd?: number } | null },
): number {
  return socket instanceof TLSSocket ? -1 : (socket._handle?.fd ?? -1)
}
