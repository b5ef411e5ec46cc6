// Writes straight to a socket's descriptor.
import { writeSync } from 'node:fs'
import type { Socket } from 'node:net'
import { TLSSocket } from 'node:tls'

/**
 * Bypasses a socket's stream if nothing waits in it: decisions/shared-writes.md says why. What the system does not take goes to the
 * stream, which also meets any error. A socket that is no longer writable takes nothing, for its descriptor may be another's by now.
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
 * Valid while the socket is writable; negative if there is none to write to. Node has no public name for it, and may remove it one
 * day. None with TLS, whose descriptor carries ciphertext.
 */
export function descriptorOf(
  socket: Socket & { readonly _handle?: { readonly fd?: number } | null },
): number {
  return socket instanceof TLSSocket ? -1 : (socket._handle?.fd ?? -1)
}
