// Creates folders that nobody else can read.
import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { codeOf } from '../failure/thrown.ts'

/**
 * Creates its parents too. Node's `recursive` never returns where the system refuses to create a folder in an existing
 * one, as in /proc.
 */
export function makeFolder(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    const code = codeOf(error)
    if (code === 'EEXIST' && isFolder(path)) return
    if (code !== 'ENOENT' || isFolder(dirname(path))) throw error
    makeFolder(dirname(path))
    mkdirSync(path, { mode: 0o700 })
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}
