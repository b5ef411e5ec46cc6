// What whoever started the server left open besides its standard streams: a folder, a pipe of a script.
import { closeSync, readdirSync, readFileSync } from 'node:fs'

/** open(2), as /proc/self/fdinfo shows it. */
const O_CLOEXEC = 0o2000000

/**
 * Closes it, before anything of ours is open: every process that the server starts would inherit it, and an isolated handler could reach
 * with it what it is kept from. Node's own descriptors end with a process that it starts. Nothing to do but on Linux.
 */
export function closeInherited(): void {
  if (process.platform !== 'linux') return
  // Of a parent that waits for messages, as of the Node that runs a checkout.
  const channel = (process.channel as { readonly fd?: number } | undefined)?.fd
  for (const fd of readdirSync('/proc/self/fd').map(Number)) {
    if (fd <= 2 || fd === channel || isOurs(fd)) continue
    closeSync(fd)
  }
}

/** Also if it is gone: the list of them was one itself. */
function isOurs(fd: number): boolean {
  try {
    const flags = /^flags:\s+(\d+)$/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'utf8'))?.[1] ?? ''
    return (Number.parseInt(flags, 8) & O_CLOEXEC) !== 0
  } catch {
    return true
  }
}
