// An address to listen on, as text, and why it cannot be had.

/** `127.0.0.1:7680`, `[::1]:7680` */
export function at(host: string, port: number): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
}

/** With what to do about it. */
export function whyNot(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return reasons[code] ?? (error instanceof Error ? error.message : String(error))
}

const reasons: Readonly<Record<string, string>> = {
  EADDRINUSE: 'something else listens there; choose another port with --webhook-port',
  EACCES: 'not allowed; ports below 1024 belong to root, choose another with --webhook-port',
  EADDRNOTAVAIL: 'this machine has no such address; choose another with --webhook-host',
  ENOTFOUND: 'no such host; choose another with --webhook-host',
}
