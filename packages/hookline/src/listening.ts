// Formats an address to listen on, and says why it cannot be bound.
import { codeOf, messageOf } from './thrown.ts'

/** `127.0.0.1:7680`, `[::1]:7680` */
export function hostAndPort(host: string, port: number): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
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
