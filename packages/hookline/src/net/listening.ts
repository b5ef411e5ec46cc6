// What listeners share: the form of their addresses, why one cannot be bound, and how one is closed.
import type { Server, Socket } from 'node:net'
import { codeOf, messageOf } from '../failure/thrown.ts'

/** `127.0.0.1:7680`, `[::1]:7680` */
export function hostAndPort(host: string, port: number): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
}

/** Accepts nobody any more; destroys those of `sockets`, its connections, that are still open after `ms`. */
export function closeWithin(ms: number, server: Server, sockets: ReadonlySet<Socket>): Promise<void> {
  return new Promise((resolve) => {
    const late = setTimeout(() => sockets.forEach((socket) => socket.destroy()), ms)
    server.close(() => {
      clearTimeout(late)
      resolve()
    })
  })
}

/** Why the system did not let a listener have its address. */
export function bindFailure(error: unknown): string {
  return REASONS[codeOf(error) ?? ''] ?? messageOf(error)
}

const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program is listening there',
  EACCES: 'the system does not allow it (ports below 1024 are for root)',
  EADDRNOTAVAIL: 'this machine has no such address',
  ENOTFOUND: 'there is no such host',
}
