// The shortest way to a socket.
import { writeSync } from 'node:fs'
import type { Socket } from 'node:net'
import { TLSSocket } from 'node:tls'

/**
 * Writes to a socket that is writable, and past its stream where nothing waits in that: decisions/shared-writes.md says why. Where the
 * system takes only a part, or nothing, the stream gets the rest, and meets what is wrong.
 */
export function writeDirect(socket: Socket, bytes: Uint8Array): void {
  const taken = socket.writableLength === 0 ? offer(descriptorOf(socket), bytes) : 0
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

/** Node has no public name for it, and perhaps none at all one day. That of TLS is where the cipher's bytes go. */
function descriptorOf(socket: Socket & { readonly _handle?: { readonly fd?: number } | null }): number {
  return socket instanceof TLSSocket ? -1 : (socket._handle?.fd ?? -1)
}
