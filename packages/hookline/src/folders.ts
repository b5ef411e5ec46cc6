// Folders that must be there, readable by nobody else.
import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/** With those above it. Node's own `recursive` never ends where the system makes no folder in one that is there, as in /proc. */
export function makeFolder(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST' && isFolder(path)) return
    if (code !== 'ENOENT' || isFolder(dirname(path))) throw error
    makeFolder(dirname(path))
    mkdirSync(path, { mode: 0o700 })
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}
